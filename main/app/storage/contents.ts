/** The entries of a data folder by their names: what each is, and which of them a move or an export leaves out. */
import type { PlaceKind } from '#contract/bridge/data/places.ts';
import { ARRIVING, MAINTENANCE, MOVED_TO } from '../platform/folders/movedFolder.ts';

/** By the start of an entry's name: a database has files beside it. */
const kindOfName: readonly (readonly [RegExp, PlaceKind])[] = [
  [/^ledger\b/, 'ledger'],
  [/^(engine|(?:gpu|pod|processor)-history)\.db/, 'engine'],
  [/^blobs$/, 'bodies'],
  [/^volumes$/, 'volumes'],
  [/^pods$/, 'pods'],
  [/^examples$/, 'examples'],
  [/^accounts\b/, 'accounts'],
  [/^(secrets\.(json|vault).*|folder-key|ssh-host-key)$/, 'keys'],
  [/^(backups|.*backup.*|before-import-.*)$/, 'backups'],
  [/^logs$/, 'logs'],
  [/^crash-reports$/, 'crash-reports'],
  [/^disk-reserve$/, 'reserve'],
  [/^config$/, 'desktop'],
  [/^cache$/, 'cache'],
  [/^(instance\.json|run)$/, 'running'],
];

export const kindOf = (name: string): PlaceKind => kindOfName.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';

/** A move that was begun, in the old folder: where to. */
export const MOVING = 'moving.json';
/** The folders from which the data came, in a new folder, until the engine has changed the paths that it stores. */
export const RELOCATED = 'relocated.json';
/** The folder into which an export is unpacked before it takes the place of the data. */
export const IMPORTING = 'importing';

/** Belongs to this folder, or to a running Hangar, and is made anew elsewhere. */
const OF_THIS_PLACE: ReadonlySet<string> = new Set([
  'instance.json',
  'run',
  'cache',
  'disk-reserve',
  MOVING,
  MOVED_TO,
  ARRIVING,
  MAINTENANCE,
  RELOCATED,
  IMPORTING,
]);

const SMALL_FILES =
  /^(bucket\.json|ssh\.json|known_hosts|uploads\.json|containers|workers|recovering|(accounts|ssh|secrets|known_hosts|instance|uploads)\..*|.*\.(part|damaged.*|suspect))$/;

/** Whether Hangar makes entries with this name: nothing else is removed from a data folder. */
export const isOurs = (name: string): boolean =>
  kindOf(name) !== 'other' || OF_THIS_PLACE.has(name) || SMALL_FILES.test(name);

/** Whether a move leaves the top-level entry behind. */
export const staysBehind = (name: string): boolean => OF_THIS_PLACE.has(name) || name.endsWith('.part');

/** Whether the entry is a database or belongs to one: it is copied while nothing uses it. */
export const isDatabase = (name: string): boolean => /^(engine|ledger|(?:gpu|pod|processor)-history)\.db/.test(name);

/** Secrets, and what is worth nothing without them or elsewhere. */
const NOT_EXPORTED =
  /^(secrets\..*|folder-key|ssh-host-key|accounts\.damaged.*|.*\.damaged.*|.*\.suspect|backups|before-import-.*|containers|workers|config|uploads\.json|logs|crash-reports|recovering)$/;

/** Whether an export contains the top-level entry. Databases go into it as snapshots, the histories do not. */
export const isExported = (name: string): boolean =>
  !staysBehind(name) && !isDatabase(name) && !NOT_EXPORTED.test(name);

/** What an export does not contain, as sentences for its reader. */
export const LEFT_OUT: readonly string[] = [
  'keys of accounts, the secret of the bucket and passphrases, wherever they are kept',
  'the keys that encrypt secrets: variables of templates and Pods and passwords of registries have to be set again',
  'backups of the databases, which may be older than the encryption',
  'logs, reports of crashes, caches, the histories of GPUs, Pods and the processor, and the settings of the desktop program',
  'containers and images',
  'paired browsers',
];
