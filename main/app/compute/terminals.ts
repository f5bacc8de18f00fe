/** Terminals of an engine: the list of them, and connections to them. */
import { AppError, toAppError } from '#contract/core/errors.ts';
import { terminalProgramsSchema, terminalServerSchema, terminalSessionSchema } from '#contract/local/terminal.ts';
import { limits } from '#contract/core/limits.ts';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import { systemClock, type Clock } from '../platform/clock.ts';
import type { TerminalsApi } from '../platform/terminalPort.ts';
import { readJson } from './http/parsers.ts';
import type { Outbound } from './http/outbound.ts';

const enc = encodeURIComponent;

/**
 * Closes a connection on which nothing came for two pulses, although it was asked: nobody reports a cable that was
 * pulled out, and what is typed would wait unseen.
 */
function closeSilent(socket: WebSocket, clock: Clock): void {
  let isAlive = true;
  const noteLife = (): void => void (isAlive = true);
  const check = (): void => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
    cancel = clock.after(limits.eventStreamPulseMs, check);
  };
  let cancel = clock.after(limits.eventStreamPulseMs, check);
  socket.on('pong', noteLife);
  socket.on('message', noteLife);
  socket.on('close', () => cancel());
}

export const createTerminalsApi = (outbound: Outbound, clock: Clock = systemClock): TerminalsApi => ({
  async list() {
    const text = await outbound.send({ method: 'GET', path: '/local/v1/terminals' });
    return readJson('terminals', text, z.array(terminalSessionSchema));
  },
  async programs(session) {
    const text = await outbound.send({ method: 'GET', path: `/local/v1/terminals/${enc(session)}/programs` });
    return readJson('programs of a terminal', text, terminalProgramsSchema).programs;
  },
  async close(session) {
    await outbound.send({ method: 'DELETE', path: `/local/v1/terminals/${enc(session)}` });
  },
  async connect({ kind, targetId }, listener, signal) {
    if (kind === 'host' || kind === 'ssh')
      throw new AppError('BAD_REQUEST', 'An engine has no shells of its computer.');
    const socket = await outbound.socket({ path: `/local/v1/${kind}s/${enc(targetId)}/terminal`, signal });
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        listener.output(data);
        return;
      }
      try {
        listener.send(readJson('terminal', data.toString(), terminalServerSchema));
      } catch (thrown) {
        listener.send({ type: 'error', message: toAppError(thrown).message });
        socket.terminate();
      }
    });
    socket.on('close', () => listener.closed());
    closeSilent(socket, clock);
    socket.resume();
    return { say: (message) => socket.send(JSON.stringify(message)), leave: () => socket.terminate() };
  },
});
