/** The page's procedures about an engine's API keys; part of the bridge contract. A key itself never crosses it towards the page. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { apiKeyCreateSchema, apiKeySchema, apiKeyUpdateSchema } from '../local/engine.ts';

const accountRef = z.object({ accountId: z.string() });
const keyRef = accountRef.extend({ id: z.string() });

/**
 * How the person gets to see a new key, this once. `link`: a page of the host that shows it, to be opened by a click (a plain
 * link in a new tab, `rel="noopener"`; scripts are refused); `clipboard`: the host has put it there.
 */
export const shownKeySchema = z.discriminatedUnion('how', [
  z.object({
    how: z.literal('link'),
    /** A path of the address that the page came from. */
    path: z.string(),
    /** When the link ends, opened or not, in milliseconds since the epoch. */
    until: z.number(),
  }),
  z.object({ how: z.literal('clipboard') }),
]);
export type ShownKey = z.infer<typeof shownKeySchema>;

/** All of these need an account with the capability `local`; others are refused with UNSUPPORTED. */
export const apiKeyContract = {
  list: oc.input(accountRef).output(z.array(apiKeySchema)),
  create: oc
    .input(accountRef.extend(apiKeyCreateSchema.shape))
    .output(z.object({ record: apiKeySchema, shown: shownKeySchema })),
  /** Its name, what it may do, and whether it is disabled; what is not named stays. */
  update: oc.input(keyRef.extend({ change: apiKeyUpdateSchema })).output(apiKeySchema),
  delete: oc.input(keyRef).output(z.void()),
};
