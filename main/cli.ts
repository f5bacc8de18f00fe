/** Entry of the command line, as a bundle and from source. */
import { serveFlags } from './cli/serve.ts';
import { programAt } from './programPaths.ts';

/** The oldest Node with everything that Hangar uses. */
const OLDEST_NODE = 24;
// The parts are loaded below, because an older Node cannot even load them.
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `hangar: Hangar needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}. Install a newer Node, ` +
      'or a package of Hangar that includes Node.\n',
  );
  process.exit(1);
}

const { paths, version } = programAt(import.meta.filename);
const args = process.argv.slice(2);
const flags = serveFlags(args);

if (flags !== null) {
  const { startHeadless } = await import('./hosts/headless/start.ts');
  await startHeadless(flags, paths, version);
} else {
  const [{ runCli }, { createLocalProbes }] = await Promise.all([
    import('./cli/program.ts'),
    import('./localProbes.ts'),
  ]);
  await runCli(args, version, createLocalProbes(paths));
}
