/** Terminals of an account: the list of them, and connections to them. */
import { terminalSessionSchema, type TerminalSession } from '#contract/terminal.ts';
import * as z from 'zod';
import type { WebSocket } from 'ws';
import { readJson } from './answers.ts';
import type { Outbound } from './outbound.ts';

/** A connection to the engine that speaks the messages of contract/terminal.ts. */
export type TerminalSocket = WebSocket;

export interface TerminalsApi {
  list(): Promise<TerminalSession[]>;
  close(session: string): Promise<void>;
  /** Open, and nothing said yet. Rejects with AppError where no terminal can be had. */
  connect(target: Pick<TerminalSession, 'kind' | 'targetId'>, signal: AbortSignal): Promise<TerminalSocket>;
}

const enc = encodeURIComponent;

export const createTerminalsApi = (outbound: Outbound): TerminalsApi => ({
  async list() {
    const text = await outbound.send({ method: 'GET', path: '/local/v1/terminals' });
    return readJson('terminals', text, z.array(terminalSessionSchema));
  },
  async close(session) {
    await outbound.send({ method: 'DELETE', path: `/local/v1/terminals/${enc(session)}` });
  },
  connect: ({ kind, targetId }, signal) =>
    outbound.socket({ path: `/local/v1/${kind}s/${enc(targetId)}/terminal`, signal }),
});
