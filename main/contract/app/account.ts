/** An account: an address and a key of a service that speaks the API. This machine is one of the accounts. */
import * as z from 'zod';
import { secretKindSchema } from './secretKind.ts';

/** The account id of this machine. */
export const THIS_MACHINE = 'this-machine';

/**
 * The capabilities that a probe checks. `logs` and `workers`: those of endpoints and Pods; `terminals`: shells that the
 * account itself opens; `local`: the /local/v1 API that only an engine of Hangar has.
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
 * The dialect of the management API. `v1`: REST v1 of the description, with GraphQL beside it; `v2`: REST v2, with
 * GraphQL only if the account has an address for it. The job API is the same in both.
 */
export const accountDialects = ['v1', 'v2'] as const;

/**
 * The base address of each area, without a trailing slash. Requests append `/v2/…` to `jobs`, `/v1/…` or `/v2/…` (by
 * dialect) to `management`, `/graphql` to `graphql`, and `/local/v1/…` to `jobs`.
 */
export const accountAddressesSchema = z.object({
  jobs: z.string().nullable(),
  management: z.string().nullable(),
  graphql: z.string().nullable(),
});
export type AccountAddresses = z.infer<typeof accountAddressesSchema>;

/** A capability that an account lacks, and the reason as a sentence for a person. */
export const accountLackSchema = z.object({ capability: z.enum(accountCapabilities), reason: z.string() });
export type AccountLack = z.infer<typeof accountLackSchema>;

/** Facts about a key that do not reveal it. */
export const accountKeySchema = z.object({
  /** The first characters of its SHA-256, in hex. */
  fingerprint: z.string(),
  /** Its last four characters; empty if the key is so short that they would reveal it. */
  last4: z.string(),
  addedAt: z.number(),
  keptIn: secretKindSchema,
  /** Its id at the engine, where a pairing created it; missing for a key that a person entered. */
  pairedId: z.string().optional(),
});
export type AccountKey = z.infer<typeof accountKeySchema>;

/**
 * `unknown`: no request since the app started; `offline`: not reachable; `refused`: it rejects the key; `slowed`: it
 * requested a pause until `nextTryAt`; `no-key`: there is no key to send; `locked`: the store of the key must be
 * unlocked first.
 */
export const accountStates = ['unknown', 'ok', 'offline', 'refused', 'slowed', 'no-key', 'locked'] as const;
export type AccountState = (typeof accountStates)[number];

export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** `engine`: an engine of Hangar; `cloud`: the public service, where running costs money. */
  kind: z.enum(['engine', 'cloud']),
  dialect: z.enum(accountDialects),
  /** All null for this machine while its engine is not ready. */
  addresses: accountAddressesSchema,
  /** The same as `addresses.jobs`. */
  address: z.string().nullable(),
  /** The capabilities that worked in the last probe. */
  capabilities: z.array(z.enum(accountCapabilities)),
  /** The other capabilities, with the reason. */
  lacks: z.array(accountLackSchema),
  /** Milliseconds since the epoch, as every time here. Null for this machine, which needs no probe. */
  probedAt: z.number().nullable(),
  /** Null for this machine, and if the account has no key. */
  key: accountKeySchema.nullable(),
  state: z.enum(accountStates),
  /** Why the state is not `ok`, for a person. */
  reason: z.string().nullable(),
  nextTryAt: z.number().nullable(),
  lastUsedAt: z.number().nullable(),
});
export type Account = z.infer<typeof accountSchema>;

export const engineStates = ['starting', 'ready', 'restarting', 'stopped', 'failed'] as const;

/** The state of the embedded engine, as its supervisor sees it. */
export const engineStatusSchema = z.object({
  state: z.enum(engineStates),
  /** Since when a ready engine answers no pings, in milliseconds since the epoch; null while it answers. */
  silentSince: z.number().nullable(),
  address: z.string().nullable(),
  /** How many times the engine was restarted since the app started. */
  restarts: z.int(),
  /** Milliseconds since the epoch; null unless a restart is due. */
  nextTryAt: z.number().nullable(),
  /** Why the engine is not ready, for a person. */
  reason: z.string().nullable(),
  /** Messages of the engine about its data since the app started, such as that a damaged database was set aside. */
  notices: z.array(z.string()),
});
export type EngineStatus = z.infer<typeof engineStatusSchema>;
