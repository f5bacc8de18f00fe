/** `hangar data`: where everything is kept, and its move, export, import and removal. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { DataState } from '#contract/bridge/data/index.ts';
import type { Cli } from '../cli.ts';
import type { Connection } from '../connection.ts';
import type { Watched, WorkProgress } from '../data/localData.ts';
import { countPlaces, kindTexts, printPlaces } from '../data/places.ts';
import { findRunning, requireStopped, stopHangar } from '../data/running.ts';
import { CommandFailure, exitCodes, usage } from '../failure.ts';
import { createProgress } from '../output/progress.ts';
import { confirm } from '../output/prompts.ts';
import { bytes } from '../output/units.ts';

const progressText = (verb: string, { doneBytes, totalBytes, doneFiles }: WorkProgress): string => {
  const share = totalBytes === 0 ? '' : ` (${Math.min(100, Math.floor((doneBytes / totalBytes) * 100))} %)`;
  return `${verb}: ${bytes(doneBytes)} of ${bytes(totalBytes)}${share}, ${doneFiles} files. Ctrl+C stops it.`;
};

/** Runs work with a progress line; the first Ctrl+C or SIGTERM stops it. `stopped`: the sentence about that. */
async function watch<T>(cli: Cli, verb: string, stopped: string, run: (watched: Watched) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const progress = createProgress();
  let now: WorkProgress = { doneBytes: 0, totalBytes: 0, doneFiles: 0, totalFiles: 0 };
  cli.onInterrupt(() => stop.abort());
  progress.show(() => progressText(verb, now));
  const work = run({ onProgress: (latest) => (now = latest), signal: stop.signal });
  cli.onTermination(async () => {
    stop.abort();
    await work.catch(() => undefined);
  });
  try {
    return await work;
  } catch (thrown) {
    if (stop.signal.aborted) throw new CommandFailure(exitCodes.interrupted, stopped);
    throw thrown;
  } finally {
    progress.stop();
    cli.onInterrupt(null);
    cli.onTermination(null);
  }
}

interface MoveOptions {
  stop?: boolean;
  force?: boolean;
  discard?: boolean;
}

async function move(
  cli: Cli,
  target: string | undefined,
  { stop = false, force = false, discard = false }: MoveOptions,
) {
  const { data } = cli.probes;
  // Before anything is stopped, because only a running Hangar can stop Pods.
  if (!discard) await data.requireNoPods(cli.dataDir);
  await requireStopped(cli, { stop, force, instead: 'Settings, Storage moves the data of a running Hangar.' });
  const unfinished = await data.unfinishedMove(cli.dataDir);
  if (discard) {
    if (unfinished === null) throw new CommandFailure(exitCodes.notFound, 'There is no unfinished move.');
    await data.discardMove(cli.dataDir);
    cli.output.answer(`The move to ${unfinished} was cancelled, and the copied files were removed.`, {
      discarded: unfinished,
    });
    return;
  }
  const to = target === undefined ? unfinished : resolve(target);
  if (to === null) throw usage('Name the new folder: hangar data move FOLDER.');
  const stopped =
    'The move was stopped. Everything is still in the old folder. Run the same command again to continue.';
  const { left, skipped } = await watch(cli, 'Moving', stopped, (watched) => data.move(cli.dataDir, to, watched));
  for (const path of left) cli.output.note(`Left in the old folder: ${path}`);
  for (const path of skipped) cli.output.note(`Not a file, and not moved: ${path}`);
  const next =
    cli.folder.namedBy === 'default'
      ? 'Hangar finds it there.'
      : `Start Hangar with ${cli.folder.namedBy === 'flag' ? `--data-dir ${to}` : `HANGAR_HOME=${to}`} from now on.`;
  cli.output.answer(`The data folder is now ${to}. ${next}`, { from: cli.dataDir, to, left, skipped });
}

/** Follows the work of a running Hangar to its end. */
async function followWork({ client }: Connection, { onProgress, signal }: Watched): Promise<DataState['last']> {
  signal.addEventListener('abort', () => void client.data.stop().catch(() => undefined), { once: true });
  for await (const { work, last } of await client.data.watch()) {
    if (work === null) return last;
    onProgress(work);
  }
  return null;
}

async function exportAll(cli: Cli, name: string): Promise<void> {
  const file = resolve(name);
  const stopped = 'The export was stopped, and its file was removed.';
  const running = await findRunning(cli);
  if (running !== null) {
    const last = await watch(cli, 'Exporting', stopped, async (watched) => {
      await running.client.data.export({ file });
      return followWork(running, watched);
    });
    if (last?.outcome === 'stopped') throw new CommandFailure(exitCodes.interrupted, stopped);
    if (last?.outcome !== 'done') throw new CommandFailure(exitCodes.failed, last?.message ?? 'The export failed.');
    cli.output.answer(last.message, { file, message: last.message });
    return;
  }
  const result = await watch(cli, 'Exporting', stopped, (watched) =>
    cli.probes.data.export(cli.dataDir, file, cli.version, watched),
  );
  for (const path of result.unreadable) cli.output.note(`Not in it, because it could not be read: ${path}`);
  const sentence =
    `${result.files} files (${bytes(result.bytes)}) are in ${file} (${bytes(result.fileBytes)}). Not in it: ` +
    `${result.leftOut.join('; ')}.`;
  cli.output.answer(sentence, result);
}

interface ImportOptions {
  replace?: boolean;
  stop?: boolean;
  force?: boolean;
}

async function importAll(cli: Cli, name: string, { replace = false, stop = false, force = false }: ImportOptions) {
  const file = resolve(name);
  await requireStopped(cli, { stop, force, instead: 'Settings, Storage imports into a running Hangar.' });
  const stopped = 'The import was stopped. Nothing was changed.';
  const result = await watch(cli, 'Importing', stopped, (watched) =>
    cli.probes.data.import(cli.dataDir, file, cli.version, replace, watched),
  );
  const before = result.aside === null ? '' : ` The earlier data is in ${result.aside}.`;
  const keys = 'Keys of accounts are not in an export: enter them again.';
  cli.output.answer(`${result.files} files were imported into ${cli.dataDir}. ${keys}${before}`, {
    dataDir: cli.dataDir,
    ...result,
  });
}

async function remove(cli: Cli, { yes = false, force = false }: { yes?: boolean; force?: boolean }): Promise<void> {
  const running = await findRunning(cli);
  const places = await countPlaces(cli, running);
  if (places.places.length === 0) {
    cli.output.answer(`There is no data: ${cli.dataDir} does not exist.`, { removed: [], left: [] });
    return;
  }
  if (cli.output.isForPerson && !yes) printPlaces(cli, places);
  const stays = places.places.filter(({ leaves }) => leaves !== null).map(({ kind }) => kindTexts[kind]);
  const rest = stays.length === 0 ? '' : ` (${stays.join(', ')} stay)`;
  await confirm(`All of this${rest} is removed for good, with every job, volume and key in it. Remove it?`, yes);
  if (running !== null) await stopHangar(cli, running, force);
  const { removed, left } = await cli.probes.data.remove(cli.folder, places);
  if (cli.output.isForPerson) {
    for (const path of removed) cli.output.line(`Removed ${path}`);
    for (const path of left) cli.output.line(`Left    ${path}`);
    cli.output.line('The program itself is still installed: remove it in the way you installed it.');
  } else cli.output.json({ removed, left });
  if (left.length > 0) throw new CommandFailure(exitCodes.failed, '');
}

const EXAMPLES = `
Examples:
  $ hangar data paths
  $ hangar data move /mnt/large/hangar --stop
  $ hangar data export ~/hangar.tar.gz
  $ hangar --data-dir ./copy data import ~/hangar.tar.gz
  $ hangar data remove`;

export function addData(program: Command, cli: () => Cli): void {
  const data = program
    .command('data')
    .description('say where everything is kept; move, export, import or remove it')
    .addHelpText('after', EXAMPLES);
  data
    .command('paths')
    .description('list every place that has data of Hangar, with its size')
    .action(async () => printPlaces(cli(), await countPlaces(cli(), await findRunning(cli()))));
  data
    .command('move')
    .description('move the data folder, or continue an unfinished move')
    .argument('[folder]', 'the new or an empty folder (default: the folder of an unfinished move)')
    .option('--stop', 'stop the running Hangar first')
    .option('--force', 'with --stop: also while jobs, transfers or terminals run')
    .option('--discard', 'cancel an unfinished move, and remove the copied files')
    .action((folder: string | undefined, options: MoveOptions) => move(cli(), folder, options));
  data
    .command('export')
    .description('write everything but keys into one file, also while Hangar runs')
    .argument('<file>', 'the new file, such as hangar.tar.gz')
    .action((file: string) => exportAll(cli(), file));
  data
    .command('import')
    .description('import an export into an empty or new data folder')
    .argument('<file>', 'the file of an export')
    .option('--replace', 'replace present data, which stays in a folder beside it')
    .option('--stop', 'stop the running Hangar first')
    .option('--force', 'with --stop: also while jobs, transfers or terminals run')
    .action((file: string, options: ImportOptions) => importAll(cli(), file, options));
  data
    .command('remove')
    .description('remove everything that Hangar keeps on this computer, and stop it')
    .option('-y, --yes', 'do not ask')
    .option('--force', 'also while jobs, transfers or terminals run')
    .action((options: { yes?: boolean; force?: boolean }) => remove(cli(), options));
}
