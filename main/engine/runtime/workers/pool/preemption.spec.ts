/** The distribution of GPUs between endpoints, and when one gives way to another. */
import { expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { gpu, setUpPool } from '../../../../../test/support/workers/pool.ts';

const RTX = 'NVIDIA GeForce RTX 4090';
const uuids = (start: { gpus: readonly { uuid: string }[] }): string[] => start.gpus.map(({ uuid }) => uuid);

/** One GPU, and two endpoints that want it. */
async function contended() {
  const pool = setUpPool({ idleTimeout: 600 }, { gpus: [gpu(RTX, 0)] });
  const other = pool.endpoints.create({ name: 'other', templateId: pool.template.id });
  return { ...pool, other };
}

test('a worker holds its GPU until it is gone; the job that waits for it is told so', async () => {
  const { started, submit, endpoint, other, pool, allocator, pass } = await contended();
  const running = await submit(endpoint.id);
  await started[0]!.ask();
  expect(uuids(started[0]!.start)).toEqual(['GPU-0']);
  expect((await pool.records())[0]!.gpus).toEqual(['GPU-0']);
  const waits = await submit(other.id);
  expect(started).toHaveLength(1);
  expect(pool.waiting(waits)).toMatchObject({ code: 'no-gpu' });
  expect(pool.waiting(waits).message).toContain(started[0]!.id);
  await started[0]!.done(running);
  expect(started[0]!.stopped, 'it is idle, and somebody waits').toBe(true);
  expect(started).toHaveLength(1);
  await started[0]!.end();
  expect(started[1]).toMatchObject({ endpointId: other.id });
  expect(allocator.list()[0]!.heldBy).toEqual([
    { workerId: started[1]!.id, endpointId: other.id, endpointName: other.name },
  ]);
  await pass(0);
});

test('an idle worker gives way at once, even one that workersMin keeps; without work that waits it stays', async () => {
  const { started, submit, endpoint, other, endpoints, poke } = await contended();
  endpoints.update(endpoint.id, { workersMin: 1 });
  await poke(endpoint.id);
  await started[0]!.ask();
  endpoints.update(other.id, { workersMin: 1 });
  await poke(other.id);
  expect(started[0]!.stopped, 'a warm worker is no reason to end another').toBe(false);
  await submit(other.id);
  expect(started[0]!.stopped).toBe(true);
});

test('an endpoint that always has work gives way after the job at hand once another has waited for its turn', async () => {
  const { started, submit, endpoint, other, pass } = await contended();
  const first = await submit(endpoint.id);
  await submit(endpoint.id);
  await submit(endpoint.id);
  await started[0]!.ask();
  const waits = await submit(other.id);
  await started[0]!.done(first);
  const second = (await started[0]!.ask())!;
  await pass(limits.gpuTurnMs - 1);
  expect(started[0]!.stopped).toBe(false);
  await pass(1);
  await started[0]!.done(second);
  expect(started[0]!.stopped).toBe(true);
  await started[0]!.end();
  expect(started[1]).toMatchObject({ endpointId: other.id });
  expect(await started[1]!.ask()).toBe(waits);
  // The first endpoint waits now, and gets its turn as soon as the other one is idle.
  await started[1]!.done(waits);
  expect(started[1]!.stopped).toBe(true);
  await started[1]!.end();
  expect(started[2]).toMatchObject({ endpointId: endpoint.id });
});

test('a worker whose GPU the person takes back ends its job, and the next one starts elsewhere', async () => {
  const { started, submit, choices, allocator, settle, endpoint } = setUpPool({}, { gpus: [gpu(RTX, 0), gpu(RTX, 1)] });
  const job = await submit(endpoint.id);
  await started[0]!.ask();
  const next = await submit(endpoint.id);
  choices['GPU-0'] = { enabled: false, shared: false };
  allocator.choicesChanged();
  await settle();
  expect(started[0]!.stopped).toBe(false);
  await started[0]!.done(job);
  expect(started[0]!.stopped).toBe(true);
  expect(uuids(started[1]!.start)).toEqual(['GPU-1']);
  expect(await started[1]!.ask()).toBe(next);
});

test('an endpoint that wants a GPU this machine does not have says so, and is tried at once when it wants another', async () => {
  const { started, submit, pool, endpoint, endpoints, poke } = setUpPool(
    { gpuTypeIds: ['NVIDIA H100'] },
    { gpus: [gpu(RTX, 0)] },
  );
  const job = await submit();
  expect(started).toHaveLength(0);
  expect(pool.waiting(job)).toMatchObject({ code: 'cannot-run' });
  expect(pool.diagnose(endpoint.id).refused).toContain('NVIDIA H100');
  endpoints.update(endpoint.id, { gpuTypeIds: [RTX] });
  await poke();
  expect(started).toHaveLength(1);
  expect(pool.diagnose(endpoint.id).refused).toBeNull();
});

test('where a change needs the GPU of the old worker, the old one goes first', async () => {
  const { started, submit, endpoint, endpoints, poke } = setUpPool({ idleTimeout: 600 }, { gpus: [gpu(RTX, 0)] });
  const job = await submit();
  const next = await submit();
  await started[0]!.ask();
  endpoints.bumpVersion(endpoint);
  await poke();
  expect(started[0]!.stopped).toBe(false);
  await started[0]!.done(job);
  expect(started[0]!.stopped).toBe(true);
  await started[0]!.end();
  expect(started).toHaveLength(2);
  expect(await started[1]!.ask()).toBe(next);
});
