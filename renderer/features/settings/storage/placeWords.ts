/** Labels and sizes of the places where Hangar keeps something. */
import type { Place, PlaceKind } from '#contract/bridge/data/places.ts';
import { formatBytes, formatMemory } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

const MB = 1024 * 1024;
export const sizeWords = (bytes: number): string => (bytes < 100 * MB ? formatBytes(bytes) : formatMemory(bytes));

/** Nothing for a place without a size. */
export const placeSize = ({ bytes, size }: Place): string => {
  if (bytes === null) return '';
  return size === 'counted' ? sizeWords(bytes) : t`at least ${sizeWords(bytes)}`;
};

export const placeWords: Record<PlaceKind, { title: string; text: string }> = {
  ledger: { title: t`Record of jobs`, text: t`Every job, with its input and output, and what you saved in the window` },
  engine: {
    title: t`Engine`,
    text: t`Jobs, endpoints, templates and keys (as hashes); not the folders of your own handlers`,
  },
  bodies: { title: t`Large bodies`, text: t`Inputs and outputs of this computer above 256 KB` },
  volumes: { title: t`Network volumes`, text: t`Files of workers and Pods` },
  pods: { title: t`Volumes of Pods`, text: t`Deleted with their Pod` },
  examples: { title: t`Samples`, text: t`Handlers to try and change` },
  accounts: { title: t`Accounts`, text: t`Names and addresses; no key` },
  keys: { title: t`Encrypted keys`, text: t`Where keys are stored, and the encrypted file if you chose it` },
  backups: { title: t`Backups`, text: t`Copies of the databases, and data from before an import` },
  logs: { title: t`Logs`, text: t`Lines of Hangar and its workers; no key` },
  'crash-reports': { title: t`Crash reports`, text: t`The newest 20. They contain no keys and are never sent.` },
  reserve: { title: t`Reserve`, text: t`Freed when the disk is full, so that jobs can finish` },
  running: { title: t`Running Hangar`, text: t`Process id, and the socket of the command line` },
  other: { title: t`Everything else`, text: t`Small files of Hangar` },
  desktop: { title: t`Desktop settings`, text: t`Windows, tray and notifications` },
  cache: { title: t`Cache`, text: t`Can be removed at any time` },
  updates: { title: t`Updates`, text: t`Versions that were downloaded` },
  login: { title: t`Login item`, text: t`Starts Hangar when you log in` },
  environment: { title: t`Python environment`, text: t`Created for the handler in this folder` },
  keychain: { title: t`Keychain`, text: t`Account keys, by name` },
  containers: { title: t`Containers`, text: t`Of workers and Pods` },
  socket: { title: t`Socket`, text: t`For the command line` },
  moved: { title: t`Old data folder`, text: t`Points to the new location of the data` },
};
