import type { Container } from 'dockerode';
import { describe, expect, test } from 'vitest';
import { createFakeClock, createFakeIds } from '../../../../test/support/core/fakes.ts';
import { until } from '../../../../test/support/core/until.ts';
import type { TerminalServerMessage } from '#contract/local/terminal.ts';
import { createContainerTerminals } from './containerTerminals.ts';

const target = { kind: 'pod', id: 'p' } as const;
const request = { type: 'attach', columns: 80, rows: 24 } as const;

/** Terminals into a Pod that is being started; `becomes` is what it waits for next. */
function start() {
  const listeners = new Set<(podId: string) => void>();
  let why: string | null = 'Pulling me/image';
  let isThere = true;
  const messages: TerminalServerMessage[] = [];
  const opened: string[] = [];
  const terminals = createContainerTerminals({
    clock: createFakeClock(),
    ids: createFakeIds(),
    runtimeOf: async () => null,
    containers: { ofPod: async () => (isThere ? ({} as Container) : null), ofWorker: async () => null },
    pods: {
      waitsFor: () => why,
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    async open() {
      opened.push('shell');
      const ended = new Promise<never>(() => undefined);
      const nothing = () => undefined;
      return {
        command: ['sh'],
        ended,
        write: nothing,
        resize: nothing,
        hold: nothing,
        programs: async () => [],
        hangUp: async () => undefined,
      };
    },
  });
  const left = new AbortController();
  const attached = terminals.attach(
    target,
    request,
    { send: (one) => void messages.push(one), output: () => undefined },
    left.signal,
  );
  return {
    terminals,
    attached,
    messages,
    opened,
    listeners,
    leave: () => left.abort(),
    goes: () => void (isThere = false),
    becomes(next: string | null, podId = 'p') {
      why = next;
      for (const listener of listeners) listener(podId);
    },
  };
}

const words = (messages: readonly TerminalServerMessage[]) =>
  messages.map((message) => (message.type === 'link' ? [message.state, message.why] : message.type));

describe('a terminal into a Pod that is being started', () => {
  test('says what it waits for, once each, and begins when the container runs', async () => {
    const { terminals, attached, messages, opened, listeners, becomes } = start();
    await terminals.find(target);
    await until('the wait', () => listeners.size, 1);
    becomes('Pulling me/image');
    becomes('Starting a container', 'other');
    becomes('Starting a container');
    expect(opened).toEqual([]);
    becomes(null);
    await attached;
    expect(opened).toEqual(['shell']);
    expect(words(messages)).toEqual([
      ['connecting', 'Pulling me/image'],
      ['connecting', 'Starting a container'],
      ['up', null],
      'attached',
    ]);
    expect(listeners.size).toBe(0);
  });

  test('is refused when the Pod is stopped instead', async () => {
    const { attached, opened, listeners, goes, becomes } = start();
    await until('the wait', () => listeners.size, 1);
    goes();
    becomes(null);
    await expect(attached).rejects.toThrow('Start the Pod, then open a terminal.');
    expect(opened).toEqual([]);
  });

  test('opens no shell for a viewer that has left, nor for an engine that stops', async () => {
    const left = start();
    await until('the wait', () => left.listeners.size, 1);
    left.leave();
    await expect(left.attached).rejects.toThrow('left before its container ran');
    expect(left.listeners.size).toBe(0);
    left.becomes(null);
    expect(left.opened).toEqual([]);
    const stopped = start();
    const refused = expect(stopped.attached).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await stopped.terminals.stop();
    await refused;
    expect(stopped.opened).toEqual([]);
  });
});
