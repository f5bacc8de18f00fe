import Docker from 'dockerode';
import { expect, test } from 'vitest';
import { startEngineApi } from '../../../../../test/support/containers/answeringEngine.ts';
import { silentLogger } from '../../../../../test/support/core/fakes.ts';
import { createUsage } from './stats.ts';

const unmeasured = { cpuPercent: null, memoryBytes: null };

test('an answer in an unknown format is logged once; the end of a container is not', async () => {
  await using api = await startEngineApi({ '/containers/odd/stats': { read: 5 } }, 'port');
  const docker = new Docker({ host: '127.0.0.1', port: api.port });
  const warnings: object[] = [];
  const logger = { ...silentLogger, warn: (facts: object) => void warnings.push(facts) };
  const ended = createUsage(docker.getContainer('ended'), logger);
  expect(await ended()).toEqual(unmeasured);
  expect(warnings).toEqual([]);
  const odd = createUsage(docker.getContainer('odd'), logger);
  expect(await odd()).toEqual(unmeasured);
  expect(await odd()).toEqual(unmeasured);
  expect(warnings).toEqual([expect.objectContaining({ container: 'odd' })]);
});
