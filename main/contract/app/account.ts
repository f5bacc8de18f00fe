/** An account: something that speaks the service's API. The machine you sit at is one of them. */
import * as z from 'zod';
import { secretKindSchema } from './secretKind.ts';

/** The account id of the machine Hangar runs on. */
export const THIS_MACHINE = 'this-machine';

/**
 * What a probe looks for. `logs` and `workers`: those of its endpoints and Pods; `terminals`: shells that the account itself opens;
 * `local`: the /local/v1 surface that only an engine of ours has.
 */
export const accountCapabilities = [
  'jobs',
  'management',
  'graphql',
  'billing',
  'logs',
  'workers',
  'pods',
  'terminals',
  'local',
] as const;
export type AccountCapability = (typeof accountCapabilities)[number];

/**
 * How management is spoken. `v1`: the description's REST, with GraphQL beside it; `v2`: the REST that followed it, GraphQL only
 * where an address of it is given. Jobs are the same in both.
 */
export const accountDialects = ['v1', 'v2'] as const;

/**
 * What each area is reached at, without a trailing slash and without what every request adds: `/v2/…` to `jobs`, `/v1/…` or `/v2/…`,
 * as the dialect has it, to `management`, `/graphql` to `graphql`, `/local/v1/…` to `jobs`.
 */
export const accountAddressesSchema = z.object({
  jobs: z.string().nullable(),
  management: z.string().nullable(),
  graphql: z.string().nullable(),
});
export type AccountAddresses = z.infer<typeof accountAddressesSchema>;

/** A capability that an account lacks, and why, in a sentence for a person. */
export const accountLackSchema = z.object({ capability: z.enum(accountCapabilities), reason: z.string() });
export type AccountLack = z.infer<typeof accountLackSchema>;

/** What can be told of a key without telling it. */
export const accountKeySchema = z.object({
  /** The beginning of its SHA-256, in hex. */
  fingerprint: z.string(),
  /** Its last four characters; empty where it is so short that they would give it away. */
  last4: z.string(),
  addedAt: z.number(),
  keptIn: secretKindSchema,
});
export type AccountKey = z.infer<typeof accountKeySchema>;

/**
 * `unknown`: not asked for anything since the app started; `offline`: not reached; `refused`: it does not take the key; `slowed`: it
 * asked to be left alone until `nextTryAt`; `no-key`: there is none to send; `locked`: where the key is kept has to be unlocked first.
 */
export const accountStates = ['unknown', 'ok', 'offline', 'refused', 'slowed', 'no-key', 'locked'] as const;
export type AccountState = (typeof accountStates)[number];

export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** `engine`: a machine of ours; `cloud`: the public service, where running costs money. */
  kind: z.enum(['engine', 'cloud']),
  dialect: z.enum(accountDialects),
  /** All null for this machine while its engine is not ready. */
  addresses: accountAddressesSchema,
  /** The same as `addresses.jobs`. */
  address: z.string().nullable(),
  /** Those that worked when it was last probed. */
  capabilities: z.array(z.enum(accountCapabilities)),
  /** The others, with the reason. */
  lacks: z.array(accountLackSchema),
  /** Milliseconds since the epoch, as every time here; null for this machine, which needs no probe. */
  probedAt: z.number().nullable(),
  /** Null for this machine, and where there is none. */
  key: accountKeySchema.nullable(),
  state: z.enum(accountStates),
  /** Why it is not `ok`, for a person. */
  reason: z.string().nullable(),
  nextTryAt: z.number().nullable(),
  lastUsedAt: z.number().nullable(),
});
export type Account = z.infer<typeof accountSchema>;

export const engineStates = ['starting', 'ready', 'restarting', 'stopped', 'failed'] as const;

/** The state of the embedded engine, as its supervisor sees it. */
export const engineStatusSchema = z.object({
  state: z.enum(engineStates),
  /** Whether it gives signs of life; says nothing while it is not ready. */
  answers: z.boolean(),
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
