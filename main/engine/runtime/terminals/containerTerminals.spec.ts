import type { Container } from 'dockerode';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createFakeClock, createFakeIds } from '../../../../test/support/core/fakes.ts';
import type { TerminalServerMessage } from '#contract/local/terminal.ts';
import type { TerminalTarget } from '../../domain/terminals/ports.ts';
import type { TerminalViewer } from '../../../terminal/viewer.ts';
import type { ContainerShell } from './shell.ts';
import { createContainerTerminals, type ContainerTerminalsOptions } from './containerTerminals.ts';

const { most, unwatchedMs } = limits.terminal;
const MINUTE_MS = 60_000;
const target = { kind: 'pod', id: 'p' } as const;
const attachRequest = { type: 'attach', columns: 80, rows: 24 } as const;
const viewer: TerminalViewer = { output: () => undefined, send: () => undefined };

/** A shell that ends when it is hung up, or by `exits`. */
function fakeShell(): ContainerShell & { exits: () => void } {
  const { promise, resolve } = Promise.withResolvers<{ exitCode: number; reason: string }>();
  return {
    command: ['sh'],
    exits: () => resolve({ exitCode: 3, reason: 'The shell exited with code 3.' }),
    ended: promise,
    write: () => undefined,
    resize: () => undefined,
    hold: () => undefined,
    programs: async () => [],
    hangUp: async () => {
      resolve({ exitCode: 0, reason: 'The shell exited with code 0.' });
      await promise;
    },
  };
}

function start(more: Partial<Pick<ContainerTerminalsOptions, 'openScreen' | 'pods'>> = {}) {
  const clock = createFakeClock();
  const container = {} as Container;
  const shells: { exits: () => void; puts: (text: string) => void }[] = [];
  const terminals = createContainerTerminals({
    clock,
    ids: createFakeIds(),
    runtimeOf: async () => null,
    pods: { waitsFor: () => null, onChange: () => () => undefined },
    async open({ onOutput }) {
      const shell = fakeShell();
      shells.push({ exits: shell.exits, puts: (text) => onOutput(Buffer.from(text)) });
      return shell;
    },
    containers: { ofPod: async () => container, ofWorker: async () => null },
    ...more,
  });
  const open = (session?: string, by = viewer) =>
    terminals.attach(target, { ...attachRequest, ...(session && { session }) }, by);
  /** The open terminals, after closing ones are gone. */
  const there = async (): Promise<string[]> => {
    await new Promise(setImmediate);
    return terminals.list().map(({ id }) => id);
  };
  /** What a viewer is sent first, and where the output is then. */
  async function seen(request: { session?: string; follows?: string }, by: TerminalTarget = target) {
    const messages: TerminalServerMessage[] = [];
    let output = '';
    const sends: TerminalViewer = {
      send: (message) => void messages.push(message),
      output: (bytes) => (output += Buffer.from(bytes).toString()),
    };
    await terminals.attach(by, { ...attachRequest, ...request }, sends);
    return { messages, output };
  }
  return { clock, open, seen, shells, terminals, there };
}

describe('terminals', () => {
  test(`are ${most} at most, also where they are asked for at once; one more has room when one is closed`, async () => {
    const { open, terminals, there } = start();
    const results = await Promise.allSettled(Array.from({ length: most + 3 }, () => open()));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    const words = `There are ${most} terminals already, which is as many as can be. Close one first.`;
    expect(refused.map(({ message }) => message)).toEqual([words, words, words]);
    expect(refused[0]).toMatchObject({ code: 'CONFLICT' });
    const [first] = await there();
    await expect(open()).rejects.toThrow(words);
    await open(first);
    await terminals.close(first!);
    await open();
    expect(await there()).toHaveLength(most);
    await terminals.stop();
  });

  test('that nobody has looked at for 12 hours end, those that are looked at stay', async () => {
    const { clock, open, terminals, there } = start();
    const left = await open();
    const reopened = await open();
    const [leftId, keptId] = await there();
    clock.advance(2 * unwatchedMs);
    expect(await there()).toEqual([leftId, keptId]);

    left.leave();
    clock.advance(unwatchedMs - MINUTE_MS);
    expect(await there()).toEqual([leftId, keptId]);
    clock.advance(MINUTE_MS);
    expect(await there()).toEqual([keptId]);
    await expect(open(leftId)).rejects.toThrow('This shell has ended');

    reopened.leave();
    expect(clock.pending()).toBe(1);
    await terminals.stop();
    expect(clock.pending()).toBe(0);
  });

  test('that somebody has come back to begin to count anew', async () => {
    const { clock, open, terminals, there } = start();
    (await open()).leave();
    const [id] = await there();
    clock.advance(unwatchedMs - MINUTE_MS);
    (await open(id)).leave();
    clock.advance(unwatchedMs - MINUTE_MS);
    expect(await there()).toEqual([id]);
    clock.advance(MINUTE_MS);
    expect(await there()).toEqual([]);
    await terminals.stop();
  });

  test('whose shells have ended show their last screen and their end to who comes back, until they are closed', async () => {
    const { open, seen, shells, terminals, there } = start();
    await open();
    const [id = ''] = await there();
    shells[0]?.puts('loss 0.31\r\n');
    shells[0]?.exits();
    expect(await there()).toEqual([]);
    const { messages } = await seen({ session: id });
    expect(messages).toMatchObject([
      { type: 'attached', session: id, snapshot: expect.stringContaining('loss 0.31') as string },
      { type: 'ended', exitCode: 3, reason: 'The shell exited with code 3.' },
    ]);
    await expect(seen({ session: id }, { kind: 'pod', id: 'another' })).rejects.toThrow('This shell has ended');
    await terminals.close(id);
    await expect(seen({ session: id })).rejects.toThrow('This shell has ended');
    await terminals.stop();
  });

  test('that follow an ended one begin with what it showed', async () => {
    const { open, seen, shells, terminals, there } = start();
    await open();
    const [id = ''] = await there();
    shells[0]?.puts('loss 0.31\r\n');
    shells[0]?.exits();
    await there();
    const { messages } = await seen({ follows: id });
    expect(messages).toMatchObject([{ type: 'attached', snapshot: expect.stringContaining('loss 0.31') as string }]);
    const [next] = await there();
    expect(next).not.toBe(id);
    await expect(seen({ session: id })).rejects.toThrow('This shell has ended');
    await terminals.stop();
  });

  test('that a person has closed keep no screen', async () => {
    const { open, seen, terminals, there } = start();
    await open();
    const [id = ''] = await there();
    await terminals.close(id);
    await expect(seen({ session: id })).rejects.toThrow('This shell has ended');
    await terminals.stop();
  });

  test('whose screen cannot be made end with the reason, for all who look at them', async () => {
    const { open, there, terminals } = start({ openScreen: () => Promise.reject(new Error('no memory is left')) });
    const ends: unknown[] = [];
    const send: TerminalViewer['send'] = (message) => message.type === 'ended' && ends.push(message);
    await open(undefined, { ...viewer, send });
    const [id] = await there();
    await open(id, { ...viewer, send });
    expect(await there()).toEqual([]);
    const reason = 'The terminal was closed, because its screen could not be made: no memory is left';
    expect(ends).toEqual([
      { type: 'ended', exitCode: null, reason },
      { type: 'ended', exitCode: null, reason },
    ]);
    await terminals.stop();
  });
});
