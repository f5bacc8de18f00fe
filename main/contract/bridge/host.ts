/** The page's procedures about the program it belongs to: what it is, and where it keeps everything; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';

/** What the program round the page can do; the page shows nothing that its host cannot. */
export const hostInfoSchema = z.object({
  kind: z.enum(['electron', 'headless']),
  version: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  dataDir: z.string(),
});
export type HostInfo = z.infer<typeof hostInfoSchema>;

/** What lies at a place; `other`: whatever is there besides. */
export const placeKinds = [
  'ledger',
  'engine',
  'bodies',
  'volumes',
  'pods',
  'examples',
  'accounts',
  'backups',
  'logs',
  'reserve',
  'other',
] as const;
export type PlaceKind = (typeof placeKinds)[number];

export const placesSchema = z.object({
  dataDir: z.string(),
  /** Of the disk that the data folder is on; null where the system does not tell. */
  freeBytes: z.number().nullable(),
  places: z.array(
    z.object({
      kind: z.enum(placeKinds),
      path: z.string(),
      bytes: z.number(),
      files: z.int(),
      /** False where not everything was counted, because there is too much or it cannot be read. */
      whole: z.boolean(),
    }),
  ),
});
export type Places = z.infer<typeof placesSchema>;

export const hostContract = {
  info: oc.output(hostInfoSchema),
  /** Everything that lies on this computer because of Hangar, counted now. */
  places: oc.output(placesSchema),
};
