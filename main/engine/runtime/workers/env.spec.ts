import { expect, test } from 'vitest';
import type { GpuDevice } from '../../domain/gpus/device.ts';
import { visibleDevices, workerEnv } from './env.ts';

const nvidia = (index: number): GpuDevice => ({
  uuid: `GPU-0000-${index}`,
  index,
  vendor: 'nvidia' as const,
  typeId: 'NVIDIA GeForce RTX 4090',
  memoryBytes: 24 * 2 ** 30,
});
const amd = (uuid: string, index: number): GpuDevice => ({
  uuid,
  index,
  vendor: 'amd' as const,
  typeId: 'Radeon RX 7900 XTX',
  memoryBytes: 24 * 2 ** 30,
});
const at = { engine: 'http://127.0.0.1:1', endpointId: 'e', workerId: 'w', key: 'k' };

test('a worker is told how many GPUs it has and of which type, in variables and in each address', () => {
  const env = workerEnv({ ...at, gpus: [nvidia(0), nvidia(1)] });
  expect(env).toMatchObject({ RUNPOD_GPU_COUNT: '2', RUNPOD_GPU_TYPE_ID: 'NVIDIA GeForce RTX 4090' });
  for (const name of ['GET_JOB', 'POST_OUTPUT', 'POST_STREAM', 'PING']) {
    expect(env[`RUNPOD_WEBHOOK_${name}`]).toMatch(/\?gpu=NVIDIA\+GeForce\+RTX\+4090$/);
  }
  // The placeholder for the worker stays.
  expect(env['RUNPOD_WEBHOOK_POST_OUTPUT']).toContain('/job-done/w/$ID?');
});

test('a worker on the CPU is told so', () => {
  const env = workerEnv({ ...at, gpus: [] });
  expect(env).toMatchObject({ RUNPOD_GPU_COUNT: '0', RUNPOD_GPU_TYPE_ID: 'CPU' });
  expect(env['RUNPOD_WEBHOOK_GET_JOB']).toBe('http://127.0.0.1:1/v2/e/job-take/w?gpu=CPU');
});

test('a process sees its own NVIDIA GPUs by their uuids, and no others', () => {
  expect(visibleDevices([nvidia(0), nvidia(3)], true)).toMatchObject({ CUDA_VISIBLE_DEVICES: 'GPU-0000-0,GPU-0000-3' });
});

test('a process sees its own AMD GPUs: by their ids for the runtime, counted from zero for HIP', () => {
  expect(visibleDevices([amd('GPU-71b1c8ad3e5c9b1f', 1), amd('0000:43:00.0', 2)], true)).toEqual({
    ROCR_VISIBLE_DEVICES: 'GPU-71b1c8ad3e5c9b1f,2',
    HIP_VISIBLE_DEVICES: '0,1',
  });
});

test('a process on the CPU of a machine that has GPUs sees none; elsewhere nothing is hidden', () => {
  expect(visibleDevices([], true)).toEqual({
    CUDA_VISIBLE_DEVICES: '',
    HIP_VISIBLE_DEVICES: '-1',
    ROCR_VISIBLE_DEVICES: '',
  });
  expect(visibleDevices([], false)).toEqual({});
});
