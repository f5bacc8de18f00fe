/** Entry of the headless host, as a bundle and from source. */
import { startHeadless } from './hosts/headless/start.ts';
import { programAt } from './programPaths.ts';

const { paths, version } = programAt(import.meta.filename);

await startHeadless(process.argv.slice(2), paths, version);
