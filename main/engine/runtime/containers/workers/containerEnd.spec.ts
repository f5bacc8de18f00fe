import { expect, test } from 'vitest';
import { startEngineApi } from '../../../../../test/support/containers/answeringEngine.ts';
import { dial } from '../engine/client.ts';
import { endOf } from './containerEnd.ts';

const FINISHED_MS = Date.parse('2026-11-30T17:48:07.298Z');
const STATE = {
  Running: false,
  ExitCode: 0,
  OOMKilled: false,
  StartedAt: '2026-11-30T17:48:06.801234567Z',
  FinishedAt: '2026-11-30T17:48:07.29876914Z',
};

/** The end of a container in a container engine that noted these events down, each so long after the container ended. */
async function endWith(events: readonly (readonly [action: string, afterMs: number])[]) {
  const noted = (query: URLSearchParams) => {
    const { event } = JSON.parse(query.get('filters') ?? '{}') as { event?: string[] };
    const untilMs = Number(query.get('until')) * 1000;
    return events
      .filter(([action, afterMs]) => (event?.includes(action) ?? true) && FINISHED_MS + afterMs <= untilMs)
      .map(([Action, afterMs]) => ({ Type: 'container', Action, timeNano: (FINISHED_MS + afterMs) * 1e6 }));
  };
  const answers = { '/containers/c/json': { State: STATE }, '/containers/c/wait': { StatusCode: 0 } };
  await using api = await startEngineApi(answers, 'socket', { '/events': noted });
  const docker = await dial(
    { address: api.host, socketPath: api.socketPath },
    { platform: 'linux', env: {}, home: '/', uid: 0 },
  );
  const container = docker.getContainer('c');
  return await endOf(container, container.wait());
}

test.each([
  ['before it ended', 'kill', -80],
  // Measured with Docker on a busy machine.
  ['2.7 ms after it ended', 'kill', 2.7],
  ['before it ended as a stop', 'stop', -80],
])(
  'a container that its engine sent a signal, noted down %s, was ended from outside',
  async (_when, action, afterMs) => {
    const { outside } = await endWith([
      ['start', -497],
      [action, afterMs],
      ['die', 90],
    ]);
    expect(outside).toContain('stopped by the container engine or by another program');
  },
);

test('a container that ended without a signal of its engine ended by itself, also where a command in it ended', async () => {
  const events: [string, number][] = [
    ['start', -497],
    ['exec_die', -90],
    ['die', 90],
    // A request that came after the end.
    ['stop', 1500],
  ];
  expect(await endWith(events)).toEqual({ code: 0, outOfMemory: false, outside: null });
});
