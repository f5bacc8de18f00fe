import { expect, test } from 'vitest';
import type { ChildExit, ChildProgram } from '../platform/childProgram.ts';
import { createPowerRelay } from './powerRelay.ts';

function createEngine() {
  const sent: object[] = [];
  let message: (message: unknown) => void = () => undefined;
  let ended: (exit: ChildExit) => void = () => undefined;
  const engine: ChildProgram = {
    pid: 1,
    send(sendable) {
      sent.push(sendable);
    },
    onMessage(listener) {
      message = listener;
    },
    onExit(listener) {
      ended = listener;
    },
    kill: () => undefined,
  };
  return {
    engine,
    sent,
    ready: () => message({ type: 'ready', address: 'http://127.0.0.1:1', port: 1, pid: 1, firstKey: null }),
    end: () => ended({ code: 1, signal: null }),
  };
}

test('the running engine gets each change, and the next engine the power source once it is ready', () => {
  const relay = createPowerRelay();
  const first = createEngine();
  expect(relay.attach(first.engine)).toBe(first.engine);
  relay.report({ event: 'source', onBattery: true });
  expect(first.sent).toEqual([]);
  first.ready();
  expect(first.sent).toEqual([{ type: 'power', event: 'source', onBattery: true }]);
  relay.report({ event: 'suspend', onBattery: true });
  expect(first.sent.at(-1)).toEqual({ type: 'power', event: 'suspend', onBattery: true });
  first.end();
  relay.report({ event: 'resume', onBattery: false });
  expect(first.sent).toHaveLength(2);
  const second = createEngine();
  relay.attach(second.engine);
  second.ready();
  expect(second.sent).toEqual([{ type: 'power', event: 'source', onBattery: false }]);
});

test('an engine whose host knows no power source gets none', () => {
  const relay = createPowerRelay();
  const { engine, sent, ready } = createEngine();
  relay.attach(engine);
  ready();
  expect(sent).toEqual([]);
});
