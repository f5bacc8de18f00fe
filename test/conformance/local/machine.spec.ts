import { delimiter, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointReadinessSchema, workerSchema, type WorkerRecord } from '#contract/local/engine.ts';
import { logPageSchema } from '#contract/local/log.ts';
import { gpuHistorySchema, type GpuHistory } from '#contract/local/gpuHistory.ts';
import { machineSchema, processorHistorySchema, type Machine } from '#contract/local/machine.ts';
import { startClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { createGpuPrograms, gpuFixture, gpusOf, type GpuPrograms } from '../../support/gpus/programs.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint, writeHandler } from '../../support/resources/resources.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { until } from '../../support/core/until.ts';
import { needsPosix } from '../../support/core/skip.ts';

let engine: TestEngine;

const machineNow = async (): Promise<Machine> =>
  machineSchema.parse(accepted(await engine.http.get('/local/v1/machine')));
const workersNow = async (): Promise<WorkerRecord[]> =>
  workerSchema.array().parse(accepted(await engine.http.get('/local/v1/workers')));

/** Answers what it was given to see of GPUs. */
const SEES = {
  'handler.mjs': `export default () => {
    const { CUDA_VISIBLE_DEVICES, RUNPOD_GPU_COUNT, RUNPOD_GPU_TYPE_ID } = process.env;
    return { CUDA_VISIBLE_DEVICES, RUNPOD_GPU_COUNT, RUNPOD_GPU_TYPE_ID };
  };\n`,
};

async function seenBy(endpoint: object): Promise<{ id: string; output: unknown }> {
  const made = await makeEndpoint(engine, SEES, { endpoint: { idleTimeout: 60, workersMax: 1, ...endpoint } });
  const jobs = jobsOf(engine, made.endpoint.id);
  return { id: made.endpoint.id, output: (await jobs.finished(await jobs.run({}))).output };
}

test('the load of the processor and the used memory are kept, also while nobody asks for them', async () => {
  await using own = await startClockedEngine({ env: { PATH: dirname(process.execPath) } });
  await own.advance(60_000);
  const { memory } = machineSchema.parse(accepted(await own.http.get('/local/v1/machine')));
  const history = processorHistorySchema.parse(accepted(await own.http.get('/local/v1/machine/history')));
  expect([history.period, history.stepMs, history.points.length]).toEqual(['1h', 30_000, 120]);
  const measured = history.points.flatMap(({ memoryBytes }) => memoryBytes ?? []);
  expect(measured.length).toBeGreaterThanOrEqual(2);
  for (const { mean, most } of measured) {
    expect(mean).toBeGreaterThan(0);
    expect(mean).toBeLessThanOrEqual(most);
    expect(most).toBeLessThan(memory.totalBytes);
  }
  expect((await own.http.get('/local/v1/machine/history?period=2h')).status).toBe(400);
});

describe('a machine without a GPU', () => {
  beforeAll(async () => {
    engine = await startEngine({ env: { PATH: dirname(process.execPath) } });
  });
  afterAll(() => engine.close());

  test('says that everything runs on the CPU, and runs it there', async () => {
    const machine = await machineNow();
    expect(machine.gpus).toEqual([]);
    expect(machine.gpuProblem).toMatch(/everything runs on the CPU/i);
    expect(machine.cpu.cores).toBeGreaterThan(0);
    expect(machine.memory.usedBytes).toBeGreaterThan(0);
    expect(machine.memory.usedBytes).toBeLessThan(machine.memory.totalBytes);
    expect((await seenBy({})).output).toEqual({ RUNPOD_GPU_COUNT: '0', RUNPOD_GPU_TYPE_ID: 'CPU' });
  });

  test('measures what each worker uses, with all that it started', async () => {
    const handler = `import { spawn } from 'node:child_process';
      const held = 'globalThis.held = Buffer.alloc(200 * 2 ** 20, 1); console.log(1); setInterval(() => {}, 1e6)';
      export default () => new Promise((resolve) => {
        const child = spawn(process.execPath, ['-e', held], { stdio: ['ignore', 'pipe', 'inherit'] });
        child.stdout.once('data', () => resolve(process.pid));
      });\n`;
    const { endpoint } = await makeEndpoint(engine, { 'handler.mjs': handler }, { endpoint: { idleTimeout: 60 } });
    const jobs = jobsOf(engine, endpoint.id);
    const { output } = await jobs.finished(await jobs.run({}));
    const worker = await until(
      'its use',
      async () => (await workersNow()).find(({ endpointId }) => endpointId === endpoint.id),
      // It may have been measured before its child took the memory.
      (own) => own?.cpuPercent != null && (own.memoryBytes ?? 0) > 200 * 2 ** 20 && own,
    );
    expect(worker.pid).toBe(output);
    expect(worker.cpuPercent).toBeGreaterThanOrEqual(0);
  });

  test('runs an endpoint that names GPUs on the CPU, and says so of the endpoint and in the log of its worker', async () => {
    const saved = await engine.http.post('/v1/templates', {
      name: 'of the cloud',
      imageName: await writeHandler(engine, SEES),
      isServerless: true,
    });
    const input = `name: "e", templateId: "${(saved.json as { id: string }).id}", gpuIds: "AMPERE_16", workersMax: 1, idleTimeout: 60`;
    const made = await engine.http.post('/graphql', { query: `mutation { saveEndpoint(input: { ${input} }) { id } }` });
    const { id } = (made.json as { data: { saveEndpoint: { id: string } } }).data.saveEndpoint;
    const jobs = jobsOf(engine, id);
    const { output } = await jobs.finished(await jobs.run({}));
    expect(output).toEqual({ RUNPOD_GPU_COUNT: '0', RUNPOD_GPU_TYPE_ID: 'CPU' });
    const ready = endpointReadinessSchema.array().parse(accepted(await engine.http.get('/local/v1/endpoints')));
    const [notice] = ready.find((one) => one.id === id)?.notices ?? [];
    expect(notice).toMatch(/^It asks for 1 GPU of type NVIDIA RTX A4000 or .*its workers run on the CPU\.$/);
    const lines = async () =>
      logPageSchema.parse(accepted(await engine.http.get(`/local/v1/logs?endpointId=${id}`))).lines;
    await until('the notice in the log', lines, (all) => all.some(({ text }) => text === notice));
  });
});

// A program with this name is started by its shebang, which Windows does not know.
describe('a machine with one GPU', needsPosix, () => {
  const TYPE = 'NVIDIA GeForce RTX 4090';
  const UUID = 'GPU-5e1b0c5a-2f6e-9f0a-7c55-0d1f8a3b9c42';
  let programs: GpuPrograms;
  beforeAll(async () => {
    programs = createGpuPrograms('nvidia-smi');
    programs.says('table', gpuFixture('desktop535.csv'));
    programs.says('report', gpuFixture('desktop535.txt'));
    engine = await startEngine({ env: { PATH: [programs.folder, dirname(process.execPath)].join(delimiter) } });
  });
  afterAll(async () => {
    await engine.close();
    programs.remove();
  });

  test('lists it with its product name as the type, its load, and the programs that use it', async () => {
    const machine = await until(
      'its load',
      () => machineNow(),
      (now) => now.gpus[0]?.load != null,
    );
    expect(machine.gpuProblem).toBeNull();
    expect(machine.gpus).toMatchObject([
      {
        uuid: UUID,
        index: 0,
        typeId: TYPE,
        vendor: 'nvidia',
        memoryBytes: 24564 * 2 ** 20,
        driverVersion: '535.161.07',
        enabled: true,
        shared: false,
        heldBy: [],
        load: { utilPercent: 78, temperatureC: 61, powerW: 310.44, memoryUsedBytes: 17632 * 2 ** 20 },
      },
    ]);
    expect(machine.gpus[0]!.load!.processes[0]).toMatchObject({ name: 'python', memoryBytes: 14358 * 2 ** 20 });
  });

  test('tells clients of the cloud of an endpoint that wants another one: throttled, and why its jobs wait', async () => {
    const { endpoint } = await makeEndpoint(engine, SEES, { endpoint: { gpuTypeIds: ['NVIDIA A40'] } });
    const made = await engine.http.get(`/v1/endpoints/${endpoint.id}`);
    expect(made.headers['x-hangar-notice']).toContain(`wants 1 GPU of type NVIDIA A40, and this machine has 1 ${TYPE}`);
    const jobs = jobsOf(engine, endpoint.id);
    expect((await jobs.health()).workers).toMatchObject({ throttled: 1, unhealthy: 0, initializing: 0 });
    const id = await jobs.run({});
    const { headers } = await engine.http.get(`${jobs.path}/status/${id}`);
    expect(headers['x-hangar-waiting']).toMatch(/^cannot-run: Each of its workers wants 1 GPU of type NVIDIA A40/);
    await jobs.cancel(id);
  });

  test('gives it to one worker at a time, which sees it and no other, and tells who has it; a worker on the CPU sees none', async () => {
    const holder = await seenBy({});
    expect(holder.output).toEqual({ CUDA_VISIBLE_DEVICES: UUID, RUNPOD_GPU_COUNT: '1', RUNPOD_GPU_TYPE_ID: TYPE });
    const [gpu] = (await machineNow()).gpus;
    const [worker] = await workersNow();
    expect(gpu!.heldBy).toMatchObject([{ workerId: worker!.id, endpointId: holder.id }]);
    expect(worker!.gpus).toEqual([UUID]);
    const onCpu = await seenBy({ computeType: 'CPU' });
    expect(onCpu.output).toEqual({ CUDA_VISIBLE_DEVICES: '', RUNPOD_GPU_COUNT: '0', RUNPOD_GPU_TYPE_ID: 'CPU' });
  });

  test('takes it back from its worker at once when it is switched off, gives it to nobody, and gives it again when it is switched on', async () => {
    await seenBy({});
    const holderCount = async (): Promise<number> => (await machineNow()).gpus[0]!.heldBy.length;
    expect(await holderCount()).toBe(1);
    await changeSettings(engine, { machine: { gpus: { [UUID]: { enabled: false } } } });
    await until('the GPU to be free', () => holderCount(), 0);
    expect((await machineNow()).gpus).toMatchObject([{ enabled: false, shared: false }]);
    const { endpoint } = await makeEndpoint(engine, SEES, { endpoint: { gpuTypeIds: [TYPE] } });
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    await until(
      'the job to wait for it',
      async () => (await engine.http.get(`/local/v1/jobs/${id}`)).json,
      (json) => (json as { waiting: { message: string } }).waiting.message.includes('switched off'),
    );
    expect(await holderCount()).toBe(0);
    await changeSettings(engine, { machine: { gpus: { [UUID]: { enabled: true } } } });
    expect((await jobs.finished(id)).output).toMatchObject({ CUDA_VISIBLE_DEVICES: UUID });
  });

  test('gives it to several workers where the person shares it', async () => {
    await changeSettings(engine, { machine: { gpus: { [UUID]: { shared: true } } } });
    const first = await seenBy({});
    const second = await seenBy({});
    expect(first.output).toEqual(second.output);
    const holders = (await machineNow()).gpus[0]!.heldBy.flatMap((holder) =>
      'podId' in holder ? [] : holder.endpointId,
    );
    expect(holders).toEqual(expect.arrayContaining([first.id, second.id]));
  });
});

describe('a machine with three GPUs', needsPosix, () => {
  const idle = { utilPercent: 0, usedMib: 4, temperatureC: 31, powerW: 12, processes: [] };
  const game = { pid: 999_999_999, name: '/opt/game', mib: 9000 };
  const busy = { utilPercent: 91, usedMib: 9004, temperatureC: 70, powerW: 66.5, processes: [game] };
  let programs: GpuPrograms;
  const historyOf = async (query: string): Promise<GpuHistory[]> =>
    gpuHistorySchema.array().parse(accepted(await engine.http.get(`/local/v1/gpus/history${query}`)));

  beforeAll(async () => {
    programs = createGpuPrograms('nvidia-smi');
    const { table, report } = gpusOf([busy, idle, busy]);
    programs.says('table', table);
    programs.says('report', report);
    engine = await startEngine({ env: { PATH: [programs.folder, dirname(process.execPath)].join(delimiter) } });
  });
  afterAll(async () => {
    await engine.close();
    programs.remove();
  });

  test('tells the history of each, with who used it; a worker gets the idle one', async () => {
    const [first, second] = await until(
      'a measurement',
      () => historyOf('?period=15m'),
      (all) => all[0]?.users.length === 1 && all,
    );
    expect(first).toMatchObject({ index: 0, uuid: 'GPU-0', typeId: 'NVIDIA L4', memoryBytes: 23034 * 2 ** 20 });
    expect(first?.points.findLast(({ utilPercent }) => utilPercent !== null)).toMatchObject({
      utilPercent: { mean: 91, most: 91 },
      memoryBytes: { mean: 9004 * 2 ** 20 },
      powerW: { mean: 66.5 },
      temperatureC: { most: 70 },
      ownMemoryBytes: 0,
    });
    expect(first?.users).toMatchObject([{ kind: 'program', name: 'game', memoryBytes: 9000 * 2 ** 20 }]);
    expect(second?.users).toEqual([]);

    const worker = await seenBy({});
    expect(worker.output).toMatchObject({ CUDA_VISIBLE_DEVICES: 'GPU-1' });
    const [used] = await until(
      'the worker in the history',
      () => machineNow().then(() => historyOf('?period=15m&gpu=1')),
      ([gpu]) => gpu?.users.length === 1,
    );
    expect(used?.users).toMatchObject([{ kind: 'endpoint', id: worker.id }]);
  });

  test('keeps it over a restart', async () => {
    await using own = await startEngine({
      env: { PATH: [programs.folder, dirname(process.execPath)].join(delimiter) },
    });
    const usersOf = async (period: string) =>
      gpuHistorySchema
        .array()
        .parse(accepted(await own.http.get(`/local/v1/gpus/history?period=${period}`)))
        .map(({ users }) => users.map(({ name }) => name));
    await until(
      'a measurement',
      () => usersOf('15m'),
      ([first]) => first?.length === 1,
    );
    await own.stop();
    const { table, report } = gpusOf([idle, idle, idle]);
    programs.says('table', table);
    programs.says('report', report);
    await own.restart();
    expect(
      await until(
        'the GPUs',
        () => usersOf('24h'),
        ({ length }) => length === 3,
      ),
    ).toEqual([['game'], [], ['game']]);
    expect(own.notices).toEqual([]);
  });

  test('refuses an unknown GPU and an unknown period with what there is', async () => {
    const unknown = await engine.http.get('/local/v1/gpus/history?gpu=7');
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('There are 0 (GPU-0), 1 (GPU-1), 2 (GPU-2).');
    expect((await engine.http.get('/local/v1/gpus/history?period=2h')).status).toBe(400);
  });
});
