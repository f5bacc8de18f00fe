/**
 * Terminals into Pods and container workers, over a WebSocket at /local/v1/pods/{podId}/terminal and
 * /local/v1/workers/{workerId}/terminal. Text messages are JSON of the shapes below; binary messages from the engine
 * are output. A session lives in the engine until its shell ends or a client closes it. Sockets attach to it and leave
 * it. Positions in the output are bytes since the session began: a client that returns sends its position and gets the
 * rest of the output, or a snapshot if the rest is no longer stored.
 */
import * as z from 'zod';
import { limits } from '../core/limits.ts';
import { terminalLinkSchema } from './terminalLink.ts';

const cells = { columns: z.int().min(1).max(limits.terminal.cells), rows: z.int().min(1).max(limits.terminal.cells) };

/** First message of a client. Without `session`, a new shell starts. */
export const terminalAttachSchema = z.strictObject({
  type: z.literal('attach'),
  ...cells,
  session: z.string().optional(),
  /** Bytes of output that the client already has. Without it, the client gets a snapshot. */
  from: z.int().min(0).optional(),
  /**
   * Only for a new session: an ended one of the same target, whose last screen it continues, if that is still kept.
   * That one is then gone.
   */
  follows: z.string().optional(),
  /** The command instead of the image's shell, as arguments; only for a new session. */
  command: z.array(z.string()).min(1).optional(),
});

export const terminalClientSchema = z.discriminatedUnion('type', [
  terminalAttachSchema,
  z.strictObject({ type: z.literal('input'), data: z.string().max(limits.terminal.inputLength) }),
  z.strictObject({ type: z.literal('resize'), ...cells }),
  /** Acknowledges output up to this byte since the session began. The slowest viewer sets the pace of the shell. */
  z.strictObject({ type: z.literal('shown'), upTo: z.int().min(0) }),
  /** For a terminal over SSH: tries now to reconnect to its target. */
  z.strictObject({ type: z.literal('retry') }),
  /** Ends the session and its shell. A viewer that only leaves closes its socket. */
  z.strictObject({ type: z.literal('close') }),
]);
export type TerminalClientMessage = z.infer<typeof terminalClientSchema>;

export const terminalServerSchema = z.discriminatedUnion('type', [
  /**
   * First answer. The output that follows begins at byte `from`. With `snapshot`, the client clears its screen and
   * writes the snapshot first: the screen and its scrollback at `from`.
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
  /** Another viewer changed the size. */
  z.looseObject({ type: z.literal('resized'), columns: z.int(), rows: z.int() }),
  /**
   * The shell or the container has ended; nothing follows. Its last screen is kept for a while: a client that attaches
   * to the session is sent that screen and this message again.
   */
  z.looseObject({ type: z.literal('ended'), exitCode: z.int().nullable(), reason: z.string() }),
  z.looseObject({ type: z.literal('error'), message: z.string() }),
  /**
   * For a terminal over SSH: the state of its connection, before `attached` and after each change. For a terminal into
   * a Pod whose container is being started: `connecting`, with what it waits for as `why`, and `up` once the container
   * runs. `attached` follows.
   */
  z.looseObject({ type: z.literal('link'), ...terminalLinkSchema.shape }),
]);
export type TerminalServerMessage = z.infer<typeof terminalServerSchema>;

/** GET /local/v1/terminals/{id}/programs: what the end of a terminal would end. */
export const terminalProgramsSchema = z.looseObject({
  /** The command lines of what runs in it beside idle shells; null if that is not known. */
  programs: z.array(z.string()).nullable(),
});

/** GET /local/v1/terminals: sessions that a page can resume. */
export const terminalSessionSchema = z.looseObject({
  id: z.string(),
  kind: z.enum(['pod', 'worker']),
  /** The id of the Pod or the worker. */
  targetId: z.string(),
  command: z.array(z.string()),
  startedAt: z.string(),
  viewers: z.int(),
});
export type TerminalSession = z.infer<typeof terminalSessionSchema>;
