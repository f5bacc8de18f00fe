import { expect, it } from 'vitest';
import { createRequestedPulls } from './requestedPulls.ts';

it('without a container engine nothing is pulled, and the reason is told', async () => {
  const log = () => undefined;
  const pulls = createRequestedPulls({
    finder: { find: () => Promise.resolve('Install Docker.') },
    clock: { now: () => 0 },
    ids: { random: () => 'a', digest: () => '' },
    logger: { debug: log, info: log, warn: log, error: log },
  });
  await expect(pulls.start({ name: 'ubuntu:24.04' }, null)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'Install Docker.',
  });
  expect(pulls.list()).toEqual([]);
});
