/** The list of every place where something is kept, for `data paths`, `doctor --paths` and `data remove`. */
import type { Place, PlaceKind, Places } from '#contract/bridge/data/places.ts';
import type { Cli } from '../cli.ts';
import type { Connection } from '../connection.ts';
import { createProgress } from '../output/progress.ts';
import type { Column } from '../output/table.ts';
import { bytes } from '../output/units.ts';

export const kindTexts: Record<PlaceKind, string> = {
  ledger: 'jobs that were sent from here or ran here',
  engine: 'jobs, endpoints and keys of the engine',
  bodies: 'large requests and outputs',
  volumes: 'network volumes',
  pods: 'disks of Pods',
  examples: 'sample endpoints',
  accounts: 'accounts, without their keys',
  keys: 'where keys are kept, and encrypted keys',
  backups: 'copies of the databases',
  logs: 'logs',
  'crash-reports': 'reports of crashes',
  reserve: 'space reserved for the end of jobs',
  running: 'facts about the running Hangar',
  other: 'small files',
  desktop: 'settings of the desktop program',
  cache: 'caches: compiled code, and those of the desktop program',
  updates: 'downloaded updates',
  login: 'login item',
  environment: 'Python environment of a handler',
  keychain: 'keys of accounts',
  containers: 'containers',
  socket: 'socket of the command line',
  moved: 'note about the moved data folder',
};

const textOf = ({ kind, names }: Place): string =>
  kind === 'keychain' || kind === 'containers' ? `${kindTexts[kind]} (${names.length})` : kindTexts[kind];

const sizeOf = ({ bytes: size, size: state }: Place): string =>
  size === null ? '' : `${state === 'counted' ? '' : '≥ '}${bytes(size)}`;

export const placeColumns: Column<Place>[] = [
  { title: 'WHAT', value: textOf, drop: 1 },
  { title: 'SIZE', value: sizeOf, align: 'right', whole: true },
  { title: 'WHERE', value: ({ path }) => path, whole: true },
];

/**
 * The event with all sizes. `hangar`: the running one; null if there is none. Ctrl+C ends the count with what is known.
 */
export async function countPlaces(cli: Cli, hangar: Connection | null): Promise<Places> {
  const stop = new AbortController();
  const progress = createProgress();
  let last: Places | null = null;
  cli.onInterrupt(() => stop.abort());
  try {
    const events =
      hangar === null
        ? cli.probes.data.places(cli.folder, stop.signal)
        : await hangar.client.data.places(undefined, { signal: stop.signal });
    for await (const places of events) {
      last = places;
      const total = places.places.reduce((sum, { bytes: size }) => sum + (size ?? 0), 0);
      progress.show(() => `Counting: ${bytes(total)} so far. Ctrl+C shows what is known.`);
    }
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown;
  } finally {
    cli.onInterrupt(null);
    progress.stop();
  }
  return last ?? { dataDir: cli.dataDir, freeBytes: null, isDone: true, places: [] };
}

/** Prints the list. */
export function printPlaces(cli: Cli, { places, ...report }: Places): void {
  cli.output.rows(placeColumns, places, `There is no data yet. The data folder will be ${report.dataDir}.`, {
    ...report,
    places: places.map((place) => ({ what: kindTexts[place.kind], ...place })),
  });
  if (!cli.output.isForPerson || places.length === 0) return;
  for (const { kind, names, leaves } of places) {
    if (kind === 'keychain' || kind === 'containers') for (const name of names) cli.output.line(`  ${name}`);
    if (leaves !== null) cli.output.line(`  ${leaves}`);
  }
}
