/**
 * LB: requests and bytes through a load-balancing endpoint, beside a bare node:http proxy in front of the same server.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { makeEndpoint } from '../../support/resources/resources.ts';
import { bytesThrough, UPSTREAM, type ProxyTarget } from '../balancing.ts';
import type { Bench, Group, Running } from '../bench.ts';
import { ended, oneWorker, started } from '../contenders.ts';
import { measureCpu } from '../measuring/processCpu.ts';
import { hammer } from '../measuring/rawHttp.ts';
import { atLeast } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';

const CONNECTIONS = 32;
const LARGE_BYTES = 8 * 1024 * 1024;
/**
 * Turns for each round of the benchmark: many short ones, because what else the machine does counts for both sides only
 * within seconds.
 */
const TURNS = 3;

async function startProgram(running: Running, name: string, env: Record<string, string> = {}) {
  const child = started(name, env);
  running.defer(() => ended(child));
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  return { address, pids: [child.pid ?? 0] };
}

async function run({ board, quick, rounds }: Bench, running: Running): Promise<void> {
  const requests = quick ? 5000 : 12_000;
  const large = { bytes: LARGE_BYTES, count: quick ? 5 : 8, connections: 4 };
  const contender = await running.engine();
  const { engine } = contender;
  const { endpoint } = await makeEndpoint(
    engine,
    {},
    {
      template: { dockerStartCmd: [process.execPath, join(import.meta.dirname, '../programs/upstream.ts')] },
      endpoint: { type: 'LB', ...oneWorker },
    },
  );
  const balanced: ProxyTarget & { pids: readonly number[] } = {
    address: engine.address,
    key: engine.key,
    prefix: `/lb/${endpoint.id}`,
    pids: [engine.pid],
  };
  const upstream = await startProgram(running, 'upstream');
  const proxy = await startProgram(running, 'proxy', { [UPSTREAM]: upstream.address });
  const bare: typeof balanced = { ...proxy, key: 'none', prefix: '' };

  const small = async (to: typeof balanced) => {
    const startedAt = performance.now();
    const { cpuUs } = await measureCpu(to.pids, () =>
      hammer(to.address, to.key, [`${to.prefix}/`], requests, CONNECTIONS),
    );
    return { perSecond: (requests * 1000) / (performance.now() - startedAt), cpuUs: cpuUs / requests };
  };
  const values = await interleave('LB', rounds * TURNS, {
    engine: () => small(balanced),
    bare: () => small(bare),
    engineDown: () => bytesThrough(balanced, 'down', large),
    bareDown: () => bytesThrough(bare, 'down', large),
    engineUp: () => bytesThrough(balanced, 'up', large),
    bareUp: () => bytesThrough(bare, 'up', large),
  });
  const name = 'bare proxy';
  board.add({
    goal: 'LB',
    what: `small requests, ${CONNECTIONS} connections`,
    unit: 'requests/s',
    engine: values.engine.map(({ perSecond }) => perSecond),
    peer: { name, values: values.bare.map(({ perSecond }) => perSecond) },
    floor: atLeast(0.7),
  });
  board.add({
    goal: 'LB',
    what: 'CPU of a small request, service alone',
    unit: 'µs',
    engine: values.engine.map(({ cpuUs }) => cpuUs),
    peer: { name, values: values.bare.map(({ cpuUs }) => cpuUs) },
  });
  for (const [what, ours, theirs] of [
    ['answers of 8 MB', values.engineDown, values.bareDown],
    ['requests of 8 MB', values.engineUp, values.bareUp],
  ] as const) {
    board.add({ goal: 'LB', what, unit: 'MB/s', engine: ours, peer: { name, values: theirs }, floor: atLeast(0.7) });
  }
}

export const balancingGoals: Group = { goals: ['LB'], run };
