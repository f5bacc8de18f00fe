/** Pods of REST v2 over the rules of Pods, with a driver that is made up. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { A40, podMachine, type PodMachineUnderTest } from '../../../../test/support/pods/fakePods.ts';
import { podOperations } from './pods.ts';

let machine: PodMachineUnderTest;
beforeEach(() => void (machine = podMachine()));
afterEach(() => machine.pods.leave());

/** Runs an operation by its id. The body is one that its schema has let through. */
async function run(id: string, body: object, podId = ''): Promise<{ id: string }> {
  const { pods, templates, clock } = machine;
  const operation = podOperations({ pods, templates, clock, streamLines: () => undefined }).find(
    (one) => one.id === id,
  );
  const call = { params: { id: podId }, query: {}, body, headers: {}, origin: '' };
  return (await operation?.run(call)) as { id: string };
}

test('a Pod names the least CUDA version of its request, which has no effect', async () => {
  const gpu = { id: A40, minCudaVersion: '12.4' };
  const { id } = await run('createPod', { name: 'one', image: 'me/image:1', gpu });
  expect((await machine.pods.facts(id)).notes).toEqual([
    'These fields of its request have no effect: gpu.minCudaVersion.',
  ]);
});

test('a change of globalNetworking is kept', async () => {
  const { id } = await run('createPod', { name: 'one', image: 'me/image:1', gpu: { id: A40 }, globalNetworking: true });
  expect(machine.pods.get(id)).toMatchObject({ globalNetworking: true });
  await run('updatePod', { globalNetworking: false }, id);
  expect(machine.pods.get(id)).toMatchObject({ globalNetworking: false });
});
