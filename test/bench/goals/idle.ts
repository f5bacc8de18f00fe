/** G14: what waiting costs: parked polls of workers, and the whole application when nothing happens. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Group, Running } from '../bench.ts';
import { cpuMicroseconds } from '../measuring/processCpu.ts';
import { restingKb, wakeUps } from '../measuring/processMemory.ts';
import { openConnections } from '../measuring/rawHttp.ts';
import { atMost } from '../report.ts';
import { until } from '../../support/core/until.ts';
import { healthAt } from '../../support/loadBalancing/endpoint.ts';
import { makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { newDataDir, startHost } from '../../system/headless/headlessHost.ts';

const POLLS = 1000;
const WORKERS = 20;

/** The processes below this one, itself included. */
const familyOf = (pid: number): number[] => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '')
    .flatMap((child) => familyOf(Number(child))),
];

/** Of a core, in per cent: what the engine takes while workers of its own wait for jobs. */
async function shareOfWaitingWorkers(running: Running, windowMs: number): Promise<number> {
  const { engine, pids } = await running.engine();
  const { endpoint } = await makeEndpoint(
    engine,
    { 'handler.mjs': 'export default () => null;' },
    { endpoint: { workersMin: WORKERS, workersMax: WORKERS } },
  );
  await until('all workers to wait', async () => (await healthAt(engine, endpoint.id)).workers.idle, WORKERS);
  // What their start has left to be done is not what waiting costs.
  await Promise.all(pids.map(restingKb));
  const before = cpuMicroseconds(pids);
  await pause(windowMs);
  return (cpuMicroseconds(pids) - before) / (windowMs * 10);
}

async function run({ board, quick }: Bench, running: Running): Promise<void> {
  const windowMs = quick ? 5000 : 10_000;
  const engine = await running.engine();
  const { address, key, pids } = engine;
  const [pid = 0] = pids;
  const endpoint = await makeIdleEndpoint(engine.engine);
  const before = await restingKb(pid);
  if (Number.isNaN(before)) {
    board.skip('G14', 'this system has no /proc to read memory from.');
    return;
  }
  const connections = await openConnections(address, key, POLLS);
  let answered = 0;
  connections.forEach((connection, at) => {
    const asking = connection.request('GET', `/v2/${endpoint.id}/job-take/parked-${at}?job_in_progress=0`);
    asking.then(
      () => answered++,
      // Closed below.
      () => undefined,
    );
  });
  const parked = await restingKb(pid);
  const cpuBefore = cpuMicroseconds(pids);
  await pause(windowMs);
  const busyShare = (cpuMicroseconds(pids) - cpuBefore) / (windowMs * 1000);
  if (answered > 0) throw new Error(`${answered} of ${POLLS} polls were answered while they should have waited`);
  for (const connection of connections) connection.close();

  const what = `of ${POLLS} parked polls`;
  board.add({
    goal: 'G14',
    what: `memory ${what}, each`,
    unit: 'KB',
    engine: [(parked - before) / POLLS],
    floor: atMost(40),
    aim: 29,
  });
  board.add({ goal: 'G14', what: `CPU ${what}`, unit: '%', engine: [busyShare * 100], floor: atMost(0.5) });

  board.add({
    goal: 'G14',
    what: `CPU of the engine of ${WORKERS} waiting workers`,
    unit: '%',
    engine: [await shareOfWaitingWorkers(running, windowMs)],
    floor: atMost(1),
  });

  await using dataDir = await newDataDir();
  await using host = startHost(['--json', '--no-ui', '--port', '0', '--data-dir', dataDir.path]);
  await host.ready();
  const family = familyOf(host.child.pid ?? 0);
  await Promise.all(family.map(restingKb));
  const wokenBefore = wakeUps(family);
  await pause(windowMs);
  const perSecond = ((wakeUps(family) - wokenBefore) * 1000) / windowMs;
  board.add({
    goal: 'G14',
    what: `wake-ups of the idle application, ${family.length} processes`,
    unit: '/s',
    engine: [perSecond],
    floor: atMost(1),
  });
}

export const idleGoals: Group = { goals: ['G14'], run };
