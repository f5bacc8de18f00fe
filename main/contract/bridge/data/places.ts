/** Every place on this computer where Hangar keeps something. */
import * as z from 'zod';

/** What a place holds. Those up to `other` are entries of the data folder; the others lie elsewhere. */
export const placeKinds = [
  'ledger',
  'engine',
  'bodies',
  'volumes',
  'pods',
  'examples',
  'accounts',
  'keys',
  'backups',
  'logs',
  'crash-reports',
  'reserve',
  'running',
  'other',
  'desktop',
  'cache',
  'updates',
  'login',
  'environment',
  'keychain',
  'containers',
  'socket',
  'moved',
] as const;
export type PlaceKind = (typeof placeKinds)[number];

export const placeSchema = z.object({
  kind: z.enum(placeKinds),
  /** A file or folder; a sentence for places without a path, such as the keychain. */
  path: z.string(),
  /** Whether `path` is a path. */
  isPath: z.boolean(),
  /** Whether it lies in the data folder. */
  isInside: z.boolean(),
  /** Null for places without a size of their own. */
  bytes: z.number().nullable(),
  files: z.int().nullable(),
  /** `counting`: the size is at least this. `partial`: some of it cannot be read, so it stays "at least". */
  size: z.enum(['counting', 'counted', 'partial']),
  /** Names of what is there, such as the entries in the keychain; never values. */
  names: z.array(z.string()),
  /** Why "remove all" leaves it, and what to do about it; null if it removes it. */
  leaves: z.string().nullable(),
});
export type Place = z.infer<typeof placeSchema>;

export const placesSchema = z.object({
  dataDir: z.string(),
  /** Free bytes of the disk of the data folder; null if the system does not report them. */
  freeBytes: z.number().nullable(),
  /** Whether all sizes are final. */
  isDone: z.boolean(),
  places: z.array(placeSchema),
});
export type Places = z.infer<typeof placesSchema>;
