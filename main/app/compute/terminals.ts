/** Terminals of an engine: the list of them, and connections to them. */
import { AppError, toAppError } from '#contract/core/errors.ts';
import { terminalProgramsSchema, terminalServerSchema, terminalSessionSchema } from '#contract/local/terminal.ts';
import { limits } from '#contract/core/limits.ts';
import * as z from 'zod';
import { systemClock, type Clock } from '../platform/clock.ts';
import { closeSilent } from '../platform/closeSilent.ts';
import type { TerminalsApi } from '../platform/terminalPort.ts';
import { readJson } from './http/parsers.ts';
import type { Outbound } from './http/outbound.ts';

const enc = encodeURIComponent;

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
    // What is typed would wait unseen.
    closeSilent(socket, limits.eventStreamPulseMs, clock);
    socket.resume();
    return { say: (message) => socket.send(JSON.stringify(message)), leave: () => socket.terminate() };
  },
});
