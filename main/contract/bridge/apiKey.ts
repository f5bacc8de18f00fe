/**
 * The page's procedures about an engine's API keys; part of the bridge contract. A key itself never travels to the
 * page.
 */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { apiKeyCreateSchema, apiKeySchema, apiKeyUpdateSchema } from '../local/engine.ts';

const accountRef = z.object({ accountId: z.string() });
const keyRef = accountRef.extend({ id: z.string() });

/**
 * How the person sees a new key, only once. `link`: a page of the host that shows it; the person opens it with a click
 * (a plain link in a new tab with `rel="noopener"`, because scripts are refused). `clipboard`: the host copied the key
 * there.
 */
export const shownKeySchema = z.discriminatedUnion('how', [
  z.object({
    how: z.literal('link'),
    /** A path on the address of the page. */
    path: z.string(),
    /** When the link expires, opened or not, in milliseconds since the epoch. */
    until: z.number(),
  }),
  z.object({ how: z.literal('clipboard') }),
]);
export type ShownKey = z.infer<typeof shownKeySchema>;

export const pairingShownSchema = z.object({
  /** Addresses of the engine; the link has the first one. Another one fits if the computers share another network. */
  addresses: z.array(z.string()),
  /** Whether other computers reach the engine; otherwise they need an SSH tunnel. */
  isOpen: z.boolean(),
  /** When the link stops working, in ISO 8601. */
  expiresAt: z.string(),
  shown: shownKeySchema,
});
export type PairingShown = z.infer<typeof pairingShownSchema>;

/** All of these require an account with the capability `local`; otherwise UNSUPPORTED. */
export const apiKeyContract = {
  list: oc.input(accountRef).output(z.array(apiKeySchema)),
  create: oc
    .input(accountRef.extend(apiKeyCreateSchema.shape))
    .output(z.object({ record: apiKeySchema, shown: shownKeySchema })),
  /** Changes the name, the permissions or the disabled state. Missing fields stay as they are. */
  update: oc.input(keyRef.extend({ change: apiKeyUpdateSchema })).output(apiKeySchema),
  delete: oc.input(keyRef).output(z.void()),
  /**
   * Creates a link that adds the engine to Hangar on another computer, once, with a key of its own. The host shows the
   * link, because it is worth a key until it is used.
   */
  pair: oc.input(accountRef).output(pairingShownSchema),
};
