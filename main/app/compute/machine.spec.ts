import { expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { Outbound } from './http/outbound.ts';
import { createMachineApi } from './machine.ts';

const answering = (send: Outbound['send']): Pick<Outbound, 'send'> => ({ send });

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
