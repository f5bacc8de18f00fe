/** The page's procedures about accounts; part of the bridge contract. A key only ever comes in, as the person typed it. */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import {
  accountAddressesSchema,
  accountDialects,
  accountLackSchema,
  accountSchema,
  accountCapabilities,
  accountStates,
} from '../app/account.ts';
import { limits } from '../core/limits.ts';

const accountRef = z.object({ accountId: z.string() });
const nameSchema = z.string().trim().min(1).max(limits.accounts.nameLength);
const keySchema = z.string().trim().min(1).max(limits.accounts.keyLength);
const addressSchema = z.string().trim().max(limits.accounts.addressLength).nullable();

/** Kinds of accounts that can be added. */
export const accountPresetIds = ['runpod', 'addresses', 'engine'] as const;

export const accountPresetSchema = z.object({
  id: z.enum(accountPresetIds),
  title: z.string(),
  /** What it is for, in a sentence. */
  about: z.string(),
  kind: accountSchema.shape.kind,
  dialect: z.enum(accountDialects),
  /** What the fields begin with; null where the person has to know. */
  addresses: accountAddressesSchema,
  /** Which addresses there are to type; `required`: of those, what cannot be left out. Management and GraphQL of an engine are at its one address. */
  fields: z.array(
    z.object({ area: z.enum(['jobs', 'management', 'graphql']), label: z.string(), required: z.boolean() }),
  ),
  /** Where a key is made, in a sentence. */
  keyHint: z.string(),
});
export type AccountPreset = z.infer<typeof accountPresetSchema>;

/** As the person typed them: a trailing slash, `/v1`, `/v2` or `/graphql` is understood. */
const typedAddressesSchema = z.object({ jobs: addressSchema, management: addressSchema, graphql: addressSchema });
export type TypedAddresses = z.infer<typeof typedAddressesSchema>;

/** An account that is not kept yet. */
export const accountDraftSchema = z.object({
  preset: z.enum(accountPresetIds),
  name: nameSchema,
  addresses: typedAddressesSchema,
  key: keySchema,
});
export type AccountDraft = z.infer<typeof accountDraftSchema>;

/** What a look at an account found. `state` is `ok` where anything answered. */
export const accountProbeSchema = z.object({
  capabilities: z.array(z.enum(accountCapabilities)),
  lacks: z.array(accountLackSchema),
  state: z.enum(accountStates),
  reason: z.string().nullable(),
  nextTryAt: z.number().nullable(),
});
export type AccountProbe = z.infer<typeof accountProbeSchema>;

export const accountContract = {
  list: oc.output(z.array(accountSchema)),
  /** All of them now, and again whenever anything about one of them changes. */
  changes: oc.output(eventIterator(z.array(accountSchema))),
  presets: oc.output(z.array(accountPresetSchema)),
  /** What went wrong with the file of accounts since the app started, for a person. */
  notices: oc.output(z.array(z.string())),
  /** Looks, with calls that change nothing, at what such an account could do. Nothing is kept. Refuses addresses that cannot be right. */
  probe: oc.input(z.object({ draft: accountDraftSchema })).output(accountProbeSchema),
  /** Probes it once more and keeps it; refuses one that cannot be reached or does not take the key. */
  add: oc.input(z.object({ draft: accountDraftSchema })).output(accountSchema),
  rename: oc.input(accountRef.extend({ name: nameSchema })).output(accountSchema),
  /** Probes it again and answers it as it is then. */
  test: oc.input(accountRef).output(accountSchema),
  /** The new key is tried before it takes the place of the old one; where it does not work, nothing has changed. */
  replaceKey: oc.input(accountRef.extend({ key: keySchema })).output(accountSchema),
  /**
   * Tried before they take the place of the old ones; where they do not work, nothing has changed. The key that is kept is sent
   * only to hosts that it was given for: for any other, `key` is what the person typed, and is kept from then on.
   */
  changeAddresses: oc
    .input(accountRef.extend({ addresses: typedAddressesSchema, key: keySchema.nullable() }))
    .output(accountSchema),
  /** What is open of it here, and ends when it is removed: jobs that are followed, and terminals over SSH. */
  open: oc.input(accountRef).output(z.object({ jobs: z.int(), terminals: z.int() })),
  /** Its key goes with it; what the ledger has of it stays. Jobs that have not ended do so as GONE. */
  remove: oc.input(accountRef).output(z.void()),
};
