/**
 * Terminals into Pods and container workers, over a WebSocket at /local/v1/pods/{podId}/terminal and
 * /local/v1/workers/{workerId}/terminal: text messages are JSON of the shapes below, binary messages from the engine are output.
 *
 * A session lives in the engine until its shell ends or it is closed; sockets attach to it and leave it. Output is counted in
 * bytes since the session began: a client that comes back says how far it had come, and gets the rest, or a snapshot where
 * the rest is not kept any more.
 */
import * as z from 'zod';
import { limits } from '../core/limits.ts';
import { terminalLinkSchema } from './terminalLink.ts';

const cells = { columns: z.int().min(1).max(limits.terminal.cells), rows: z.int().min(1).max(limits.terminal.cells) };

/** First message of a client. Without `session` a new shell is started. */
export const terminalAttachSchema = z.strictObject({
  type: z.literal('attach'),
  ...cells,
  session: z.string().optional(),
  /** Bytes of output that the client has already; without it, it gets a snapshot. */
  from: z.int().min(0).optional(),
  /** What to run instead of the image's shell, as arguments; of a new session only. */
  command: z.array(z.string()).min(1).optional(),
});

export const terminalClientSchema = z.discriminatedUnion('type', [
  terminalAttachSchema,
  z.strictObject({ type: z.literal('input'), data: z.string().max(limits.terminal.inputLength) }),
  z.strictObject({ type: z.literal('resize'), ...cells }),
  /** Output shown up to here, in bytes since the session began; the slowest viewer holds the shell back. */
  z.strictObject({ type: z.literal('shown'), upTo: z.int().min(0) }),
  /** Of a terminal over SSH: tries again now to reach what it leads into. */
  z.strictObject({ type: z.literal('retry') }),
  /** Ends the session and its shell; a viewer that only leaves closes its socket. */
  z.strictObject({ type: z.literal('close') }),
]);
export type TerminalClientMessage = z.infer<typeof terminalClientSchema>;

export const terminalServerSchema = z.discriminatedUnion('type', [
  /**
   * First answer. What follows begins at byte `from`. With `snapshot` the client clears its screen and writes that first: the
   * screen with its scrollback as it is at `from`.
   */
  z.looseObject({
    type: z.literal('attached'),
    session: z.string(),
    from: z.int(),
    snapshot: z.string().nullable(),
    columns: z.int(),
    rows: z.int(),
    command: z.array(z.string()),
  }),
  /** Another viewer has changed the size. */
  z.looseObject({ type: z.literal('resized'), columns: z.int(), rows: z.int() }),
  /** Its shell, or the container, is gone; nothing follows. */
  z.looseObject({ type: z.literal('ended'), exitCode: z.int().nullable(), reason: z.string() }),
  z.looseObject({ type: z.literal('error'), message: z.string() }),
  /** Of a terminal over SSH: how it stands with its connection. Before `attached`, and whenever that changes. */
  z.looseObject({ type: z.literal('link'), ...terminalLinkSchema.shape }),
]);
export type TerminalServerMessage = z.infer<typeof terminalServerSchema>;

/** GET /local/v1/terminals: sessions that a page can come back to. */
export const terminalSessionSchema = z.looseObject({
  id: z.string(),
  kind: z.enum(['pod', 'worker']),
  /** Of the Pod or the worker. */
  targetId: z.string(),
  command: z.array(z.string()),
  startedAt: z.string(),
  viewers: z.int(),
});
export type TerminalSession = z.infer<typeof terminalSessionSchema>;
