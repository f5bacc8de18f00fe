/** Entry of the headless host, as a bundle and from source. */
import { runHeadless } from './hosts/headless/cli.ts';
import { programAt } from './programPaths.ts';

const { paths, version } = programAt(import.meta.filename);

await runHeadless(process.argv.slice(2), paths, version);
