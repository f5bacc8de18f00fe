/** The page's procedures about terminals; part of the bridge contract. Accounts without terminals of their own are reached over SSH. */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { limits } from '../core/limits.ts';
import { terminalAttachSchema, terminalServerSchema, terminalSessionSchema } from '../local/terminal.ts';

const accountRef = z.object({ accountId: z.string() });
/** Chosen by the page for each attachment: what it types and has shown is told apart by it. */
const viewerRef = z.object({ viewer: z.uuid() });

export const terminalEventSchema = z.union([
  terminalServerSchema,
  /** Output in base64: a piece may end within a character. */
  z.object({ type: z.literal('output'), bytes: z.string() }),
]);
export type TerminalEvent = z.infer<typeof terminalEventSchema>;

const attachSchema = accountRef.extend({
  ...viewerRef.shape,
  ...terminalSessionSchema.pick({ kind: true, targetId: true }).shape,
  ...terminalAttachSchema.omit({ type: true }).shape,
});
export type TerminalAttach = z.infer<typeof attachSchema>;

export const terminalContract = {
  /** Sessions that a page can come back to. */
  list: oc.input(accountRef).output(z.array(terminalSessionSchema)),
  /** Begins a session, or comes back to one; ends with `ended`. To leave it is to stop listening. */
  attach: oc.input(attachSchema).output(eventIterator(terminalEventSchema)),
  input: oc.input(viewerRef.extend({ data: z.string().max(limits.terminal.inputLength) })).output(z.void()),
  resize: oc.input(viewerRef.extend(terminalAttachSchema.pick({ columns: true, rows: true }).shape)).output(z.void()),
  /** Output shown up to here, in bytes since the session began: what is not shown is held back. */
  shown: oc.input(viewerRef.extend({ upTo: z.int().min(0) })).output(z.void()),
  /** Over SSH: tries again now to reach what the terminal leads into. */
  retry: oc.input(viewerRef).output(z.void()),
  /** Ends a session and its shell, whoever looks at it. */
  close: oc.input(accountRef.extend({ session: z.string() })).output(z.void()),
};
