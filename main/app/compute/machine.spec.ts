import { expect, it } from 'vitest';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import type { Outbound } from './http/outbound.ts';
import { createMachineApi } from './machine.ts';

const answering = (
  send: Outbound['send'],
  events: Outbound['events'] = () => expect.unreachable(),
): Pick<Outbound, 'send' | 'events'> => ({ send, events });

it('a Hangar that is too old to keep the history of its GPUs is told as such, and any other failure as it is', async () => {
  const paths: string[] = [];
  const api = createMachineApi(
    answering(({ path }) => {
      paths.push(path);
      return Promise.reject(new AppError('NOT_FOUND', 'There is nothing here.'));
    }),
  );
  await expect(api.gpuHistory('6h')).rejects.toMatchObject({ code: 'UNSUPPORTED', message: /too old .* Update it/ });
  expect(paths).toEqual(['/local/v1/gpus/history?period=6h']);
  const away = createMachineApi(answering(() => Promise.reject(new AppError('UNAVAILABLE', 'It is away.'))));
  await expect(away.gpuHistory('6h')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

it('a Hangar that is too old to keep the history of its processor is told as such, and any other failure as it is', async () => {
  const paths: string[] = [];
  const failing = (code: ErrorCode) =>
    createMachineApi(
      answering(({ path }) => {
        paths.push(path);
        return Promise.reject(new AppError(code, 'Refused.'));
      }),
    );
  await expect(failing('NOT_FOUND').processorHistory('24h')).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: /too old .* Update it/,
  });
  await expect(failing('UNAVAILABLE').processorHistory('24h')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(paths).toEqual(Array(2).fill('/local/v1/machine/history?period=24h'));
});

it('a Hangar that is too old to pull images on request is told as such, and any other failure as it is', async () => {
  const failing = (error: AppError) =>
    createMachineApi(
      answering(
        () => expect.unreachable(),
        async function* () {
          throw error;
        },
      ),
    ).pulls(new AbortController().signal);
  await expect(failing(new AppError('NOT_FOUND', 'There is nothing here.')).next()).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'The Hangar of this account is too old to pull images on request. Update it.',
  });
  const away = failing(new AppError('UNAVAILABLE', 'It is away.'));
  await expect(away.next()).rejects.toMatchObject({ code: 'UNAVAILABLE', message: 'It is away.' });
});

it('a Hangar that is too old to report its changes is told as such, and any other failure as it is', async () => {
  const failing = (code: ErrorCode): Pick<Outbound, 'send' | 'events'> => ({
    send: () => Promise.resolve('{}'),
    async *events() {
      throw new AppError(code, 'Refused.');
    },
  });
  const next = (code: ErrorCode) => createMachineApi(failing(code)).changes(new AbortController().signal).next();
  await expect(next('NOT_FOUND')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await expect(next('UNAVAILABLE')).rejects.toMatchObject({ code: 'UNAVAILABLE', message: 'Refused.' });
});

it('a Hangar that is too old to send what it measures is told as such, and any other failure as it is', async () => {
  const paths: string[] = [];
  const failing = (code: ErrorCode) =>
    createMachineApi(
      answering(
        () => expect.unreachable(),
        async function* ({ path }) {
          paths.push(path);
          throw new AppError(code, 'Refused.');
        },
      ),
    );
  const { signal } = new AbortController();
  await expect(failing('NOT_FOUND').machineSamples(2000, signal).next()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await expect(failing('NOT_FOUND').workerSamples(9000, signal).next()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await expect(failing('UNAVAILABLE').machineSamples(2000, signal).next()).rejects.toMatchObject({
    message: 'Refused.',
  });
  expect(paths).toEqual([
    '/local/v1/machine/events?everyMs=2000',
    '/local/v1/workers/events?everyMs=9000',
    '/local/v1/machine/events?everyMs=2000',
  ]);
});
