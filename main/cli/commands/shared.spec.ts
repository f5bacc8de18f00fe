/** The prices of an account, as a command asks for them before it spends money. */
import { expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { readGpuOffers } from './shared.ts';

it('a price that could not be read has the reason of the failure', async () => {
  const gpuTypes = () => Promise.reject(new AppError('UNAUTHORIZED', 'The key was refused.'));
  expect(await readGpuOffers({ pods: { gpuTypes } }, 'a')).toEqual({
    offers: [],
    missing: 'the price could not be read (The key was refused.)',
  });
});
