/** The page's procedures about accounts; part of the bridge contract. Keys only travel from the page to the app. */
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
import {
  accountDraftSchema,
  accountNameSchema,
  accountPresetIds,
  typedAddressesSchema,
  typedKeySchema,
} from '../app/accountDraft.ts';

const accountRef = z.object({ accountId: z.string() });

export const accountPresetSchema = z.object({
  id: z.enum(accountPresetIds),
  title: z.string(),
  /** Its purpose, as a sentence. */
  about: z.string(),
  kind: accountSchema.shape.kind,
  dialect: z.enum(accountDialects),
  /** Initial values of the fields; null if the person has to know the address. */
  addresses: accountAddressesSchema,
  /**
   * The addresses that a person types; a `required` one cannot be empty. Management and GraphQL of an engine share its
   * one address.
   */
  fields: z.array(
    z.object({ area: z.enum(['jobs', 'management', 'graphql']), label: z.string(), required: z.boolean() }),
  ),
  /** Where to create a key, as a sentence. */
  keyHint: z.string(),
});
export type AccountPreset = z.infer<typeof accountPresetSchema>;

/** The result of a probe of an account. `state` is `ok` if anything answered. */
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
  /** All accounts now, and again after every change of one of them. */
  changes: oc.output(eventIterator(z.array(accountSchema))),
  presets: oc.output(z.array(accountPresetSchema)),
  /** Probes such an account with requests that change nothing, and saves nothing. Refuses impossible addresses. */
  probe: oc.input(z.object({ draft: accountDraftSchema })).output(accountProbeSchema),
  /** Probes the account once more and saves it. Refuses an account that is not reachable or rejects the key. */
  add: oc.input(z.object({ draft: accountDraftSchema })).output(accountSchema),
  rename: oc.input(accountRef.extend({ name: accountNameSchema })).output(accountSchema),
  /** Probes the account again and answers its new state. */
  test: oc.input(accountRef).output(accountSchema),
  /** Tries the new key before it replaces the old one. If the new key does not work, nothing changes. */
  replaceKey: oc.input(accountRef.extend({ key: typedKeySchema })).output(accountSchema),
  /**
   * Tries the new addresses before they replace the old ones. If they do not work, nothing changes. The stored key is
   * sent only to hosts for which it was entered. For another host, `key` is the key that the person typed; it is stored
   * from then on.
   */
  changeAddresses: oc
    .input(accountRef.extend({ addresses: typedAddressesSchema, key: typedKeySchema.nullable() }))
    .output(accountSchema),
  /** Counts the work of the account that its removal ends: followed jobs, and terminals over SSH. */
  open: oc.input(accountRef).output(z.object({ jobs: z.int(), terminals: z.int() })),
  /** Removes the account and its key. Its jobs stay in the ledger; jobs that have not ended become GONE. */
  remove: oc.input(accountRef).output(z.void()),
};
