/**
 * The page's procedures about terminals; part of the bridge contract. Hangar uses SSH for accounts without terminals of
 * their own.
 */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { limits } from '../core/limits.ts';
import {
  terminalAttachSchema,
  terminalProgramsSchema,
  terminalServerSchema,
  terminalSessionSchema,
} from '../local/terminal.ts';

/**
 * A terminal for the page: into a Pod or a worker, or of the computer that Hangar runs on: its login shell (`host`), or
 * the person's `ssh` program (`ssh`), whose `targetId` is the destination.
 */
export const pageTerminalSchema = terminalSessionSchema.extend({
  kind: z.enum([...terminalSessionSchema.shape.kind.options, 'host', 'ssh']),
});
export type PageTerminal = z.infer<typeof pageTerminalSchema>;

const accountRef = z.object({ accountId: z.string() });
/** The page chooses an id for each attachment. Its input and its acknowledgements carry this id. */
const viewerRef = z.object({ viewer: z.uuid() });

export const terminalEventSchema = z.union([
  terminalServerSchema,
  /** Output in base64: a piece may end in the middle of a character. */
  z.object({ type: z.literal('output'), bytes: z.string() }),
]);
export type TerminalEvent = z.infer<typeof terminalEventSchema>;

const attachSchema = accountRef.extend({
  ...viewerRef.shape,
  ...pageTerminalSchema.pick({ kind: true, targetId: true }).shape,
  ...terminalAttachSchema.omit({ type: true }).shape,
  /** Only for a new shell of this computer: the session in whose folder it begins, if that one is still there. */
  beside: z.string().optional(),
});
export type TerminalAttach = z.infer<typeof attachSchema>;

export const terminalContract = {
  /** Sessions that a page can resume. */
  list: oc.input(accountRef).output(z.array(pageTerminalSchema)),
  /** Begins or resumes a session; ends with the `ended` event. A viewer leaves when it stops listening. */
  attach: oc.input(attachSchema).output(eventIterator(terminalEventSchema)),
  input: oc.input(viewerRef.extend({ data: z.string().max(limits.terminal.inputLength) })).output(z.void()),
  resize: oc.input(viewerRef.extend(terminalAttachSchema.pick({ columns: true, rows: true }).shape)).output(z.void()),
  /**
   * Acknowledges shown output, in bytes since the session began. The shell pauses while too much is not acknowledged.
   */
  shown: oc.input(viewerRef.extend({ upTo: z.int().min(0) })).output(z.void()),
  /** Over SSH: tries now to reconnect to the target of the terminal. */
  retry: oc.input(viewerRef).output(z.void()),
  /** Why there can be no shell of this computer, as a sentence for a person; null if there can. */
  hostShell: oc.output(z.object({ problem: z.string().nullable() })),
  /**
   * Hosts for the person's `ssh` program: those that `~/.ssh/config` names, and why they are not all (`unread`).
   * `problem`: why there can be no such terminal. Sentences for a person, or null.
   */
  sshHosts: oc.output(
    z.object({ hosts: z.array(z.string()), unread: z.string().nullable(), problem: z.string().nullable() }),
  ),
  /** What a close of the session would end. */
  programs: oc.input(accountRef.extend({ session: z.string() })).output(terminalProgramsSchema),
  /** The folder in which a shell of this computer works; null if that is not known, and for other terminals. */
  folder: oc.input(accountRef.extend({ session: z.string() })).output(z.object({ folder: z.string().nullable() })),
  /** Ends a session and its shell, for all its viewers. */
  close: oc.input(accountRef.extend({ session: z.string() })).output(z.void()),
};
