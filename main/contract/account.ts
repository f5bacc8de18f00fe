/** An account: something that speaks the service's API. The machine you sit at is one of them. */
import * as z from 'zod';

/** The account id of the machine Hangar runs on. */
export const THIS_MACHINE = 'this-machine';

/** `local` is the /local/v1 surface that only an engine of ours has. */
export const accountCapabilities = ['jobs', 'management', 'local'] as const;

export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** `engine`: a machine of ours; `cloud`: the public service, where running costs money. */
  kind: z.enum(['engine', 'cloud']),
  /** Base address of the job API without a trailing slash; null while it is not known. */
  address: z.string().nullable(),
  capabilities: z.array(z.enum(accountCapabilities)),
});
export type Account = z.infer<typeof accountSchema>;

export const engineStates = ['starting', 'ready', 'restarting', 'stopped', 'failed'] as const;

/** The state of the embedded engine, as its supervisor sees it. */
export const engineStatusSchema = z.object({
  state: z.enum(engineStates),
  address: z.string().nullable(),
  /** How often it was started again since the app started. */
  restarts: z.int(),
  /** Milliseconds since the epoch; null unless a restart is due. */
  nextTryAt: z.number().nullable(),
  /** Why it is not ready, for a person. */
  reason: z.string().nullable(),
  /** What it had to tell about its data since the app started, such as that a damaged database was set aside. */
  notices: z.array(z.string()),
});
export type EngineStatus = z.infer<typeof engineStatusSchema>;
