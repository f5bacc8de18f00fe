/**
 * G15, G16: beside the public Python SDK: its worker on our engine, and its local server. Unmodified, from its source.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Group, Running } from '../bench.ts';
import { oneWorker, type Contender, type EngineContender } from '../contenders.ts';
import { bodyOf, eachOver, openConnection, openConnections, type RawConnection } from '../measuring/rawHttp.ts';
import { atLeast } from '../report.ts';
import { submitMany } from '../throughput.ts';
import { makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';

const PYTHON = process.env['HANGAR_PYTHON'] ?? 'python3';
const OWN_HANDLER = 'def handler(job):\n    return {}\n';
const OFFICIAL_HANDLER = 'import runpod\nrunpod.serverless.start({"handler": lambda job: {}})\n';
/** What the SDK's own loop allows one slot: after filling it, it sleeps for a second. */
const OFFICIAL_CEILING = 1;

const environment = (sdk: string): Record<string, string> => ({
  PYTHONPATH: [sdk, process.env['PYTHONPATH'] ?? ''].filter((path) => path !== '').join(delimiter),
});

/** Why the SDK cannot be run; null where it can. */
function reasonWithoutSdk(sdk: string | null): string | null {
  if (sdk === null) return "say where the SDK's source lies: --runpod-python DIR";
  const { status, stderr } = spawnSync(PYTHON, ['-c', 'import runpod'], {
    encoding: 'utf8',
    env: { ...process.env, ...environment(sdk) },
  });
  return status === 0
    ? null
    : `${PYTHON} cannot import it from ${sdk}: ${stderr?.trim().split('\n').at(-1) ?? 'no Python'}`;
}

/**
 * Jobs per second through the endpoint's one slot, from the submit of all to the end of the last. The worker has
 * started before, with a job that does not count. Many are submitted at once: a fast worker would else be waiting for
 * the next.
 */
async function slotRate(engine: EngineContender, endpointId: string, jobs: number): Promise<number> {
  const connections = await openConnections(engine.address, engine.key, 32);
  const [connection] = connections;
  const path = `/v2/${endpointId}`;
  const submit = async (over: RawConnection): Promise<string> =>
    (JSON.parse(bodyOf(await over.request('POST', `${path}/run`, '{"input":{"n":1}}'))) as { id: string }).id;
  const ended = async (id: string): Promise<void> => {
    const answer = bodyOf(await connection!.request('GET', `${path}/status-sync/${id}?wait=60000`));
    if (!answer.includes('"COMPLETED"')) throw new Error(`Not COMPLETED: ${answer.slice(0, 300)}`);
  };
  await ended(await submit(connection!));
  const ids: string[] = [];
  const startedAt = performance.now();
  await eachOver(connections, Array(jobs).keys(), async (over) => void ids.push(await submit(over)));
  for (const id of ids) await ended(id);
  const perSecond = (jobs * 1000) / (performance.now() - startedAt);
  for (const each of connections) each.close();
  return perSecond;
}

async function workers({ board, quick }: Bench, running: Running, sdk: string): Promise<void> {
  const engine = await running.engine();
  const own = await makeEndpoint(engine.engine, { 'handler.py': OWN_HANDLER }, { endpoint: oneWorker });
  const official = await makeEndpoint(
    engine.engine,
    { 'official.py': OFFICIAL_HANDLER },
    { template: { dockerStartCmd: [PYTHON, 'official.py'], env: environment(sdk) }, endpoint: oneWorker },
  );
  process.stderr.write('G15: our Python worker');
  const ownRate = await slotRate(engine, own.endpoint.id, quick ? 500 : 2000);
  process.stderr.write(', the official one\n');
  const officialRate = await slotRate(engine, official.endpoint.id, quick ? 8 : 20);
  board.add({
    goal: 'G15',
    what: 'no-op jobs through one slot, our Python worker',
    unit: 'jobs/s',
    engine: [ownRate],
    peer: { name: 'official worker', values: [officialRate] },
    floor: atLeast(100),
    aim: 900,
  });
  board.add({
    goal: 'G15',
    what: 'official worker on the engine, one slot',
    unit: 'jobs/s',
    engine: [officialRate],
    peer: { name: 'its own ceiling', values: [OFFICIAL_CEILING] },
    floor: atLeast(0.95),
  });
}

async function startLocalServer(sdk: string): Promise<Contender> {
  const folder = await mkdtemp(join(tmpdir(), 'hangar-bench-sdk-'));
  await writeFile(join(folder, 'official.py'), OFFICIAL_HANDLER);
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  const args = ['official.py', '--rp_serve_api', '--rp_api_port', `${port}`, '--rp_api_host', '127.0.0.1'];
  const child = spawn(PYTHON, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, ...environment(sdk) } });
  const exited = once(child, 'exit');
  const address = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The SDK's local server ended at its start (${child.exitCode})`);
    const connection = await openConnection(address, 'none').catch(() => null);
    connection?.close();
    if (connection) break;
    await pause(100);
  }
  return {
    name: 'local server',
    address,
    key: 'none',
    pids: [child.pid ?? 0],
    startWorker: () => Promise.reject(new Error('It works on jobs by itself')),
    async stop() {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** /run per second over 32 connections, at whatever depth the queue has. */
async function submitRate(submit: (count: number) => Promise<void>, count: number): Promise<number> {
  const startedAt = performance.now();
  await submit(count);
  return (count * 1000) / (performance.now() - startedAt);
}

async function localServer({ board }: Bench, running: Running, sdk: string): Promise<void> {
  const deep = 20_000;
  const engine = await running.engine();
  const { id } = await makeIdleEndpoint(engine.engine);
  const server = running.stopping(await startLocalServer(sdk));
  const connections = await openConnections(server.address, 'none', 32);
  const toServer = (count: number): Promise<void> =>
    eachOver(connections, Array(count).keys(), async (connection) => {
      bodyOf(await connection.request('POST', '/run', '{"input":{"prompt":"as small as it gets"}}'));
    });
  const toEngine = (count: number): Promise<void> => submitMany(engine, id, count).then(() => undefined);
  process.stderr.write(`G16: ${deep} jobs into the SDK's local server and the engine\n`);
  await toEngine(500);
  const engineEmpty = await submitRate(toEngine, 1000);
  await toEngine(deep - 1500);
  const engineDeep = await submitRate(toEngine, 4000);
  const serverEmpty = await submitRate(toServer, 200);
  await toServer(deep - 200);
  const serverDeep = await submitRate(toServer, 300);
  for (const connection of connections) connection.close();
  board.add({
    goal: 'G16',
    what: `/run with ${deep} queued`,
    unit: 'jobs/s',
    engine: [engineDeep],
    peer: { name: 'SDK local server', values: [serverDeep] },
    floor: atLeast(20),
    aim: 60,
  });
  board.add({
    goal: 'G16',
    what: `/run with ${deep} queued, beside an empty queue`,
    unit: 'jobs/s',
    engine: [engineDeep],
    peer: { name: 'engine, empty', values: [engineEmpty] },
    floor: atLeast(0.8),
    aim: 1,
  });
  board.add({ goal: 'G16', what: 'the SDK local server, empty', unit: 'jobs/s', engine: [serverEmpty] });
}

const withSdk =
  (goal: string, measure: (bench: Bench, running: Running, sdk: string) => Promise<void>): Group['run'] =>
  async (bench, running) => {
    const reason = reasonWithoutSdk(bench.pythonSdk);
    if (reason !== null || bench.pythonSdk === null) bench.board.skip(goal, `${reason}`);
    else await measure(bench, running, bench.pythonSdk);
  };

export const pythonGoals: readonly Group[] = [
  { goals: ['G15'], run: withSdk('G15', workers) },
  { goals: ['G16'], run: withSdk('G16', localServer) },
];
