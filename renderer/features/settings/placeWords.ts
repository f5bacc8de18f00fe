/** What lies at each place of the data folder, for a person. */
import type { PlaceKind } from '#contract/bridge/host.ts';

export const placeWords: Record<PlaceKind, { title: string; text: string }> = {
  ledger: { title: 'Ledger', text: 'Every job sent from here, with its input and everything that came back' },
  engine: { title: 'Service', text: 'Jobs, endpoints, templates and keys (as hashes) of this computer' },
  bodies: { title: 'Large bodies', text: 'Inputs and outputs of this computer above 256 KB' },
  volumes: { title: 'Network volumes', text: 'What workers and Pods have kept there' },
  pods: { title: 'Volumes of Pods', text: 'They go with their Pod' },
  examples: { title: 'Samples', text: 'Handlers to look at and to change' },
  accounts: { title: 'Accounts', text: 'Names and addresses; no key' },
  backups: { title: 'Backups', text: 'Copies of the databases, the newest few' },
  logs: { title: 'Logs', text: 'What Hangar and its workers wrote; no key' },
  reserve: { title: 'Reserve', text: 'Given back when the disk is full, so that jobs can end' },
  other: { title: 'Everything else', text: 'Small files that Hangar runs with' },
};
