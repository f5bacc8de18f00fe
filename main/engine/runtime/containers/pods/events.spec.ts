import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEngineApi } from '../../../../../test/support/containers/answeringEngine.ts';
import { silentLogger } from '../../../../../test/support/core/fakes.ts';
import { until } from '../../../../../test/support/core/until.ts';
import { createDataFolderId } from '../engine/dataFolderId.ts';
import { createEngineFinder } from '../engine/discovery.ts';
import { createPodEvents } from './events.ts';

test('an event in an unknown format is logged, and the events go on', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hangar-events-'));
  const answers = { '/version': { Version: '29.1.2' }, '/info': { OSType: 'linux' }, '/events': { Actor: 5 } };
  await using api = await startEngineApi(answers, 'socket');
  const warnings: string[] = [];
  const events = createPodEvents({
    finder: createEngineFinder({ env: { DOCKER_HOST: api.host } }),
    folder: createDataFolderId(dataDir),
    logger: { ...silentLogger, warn: (_facts, message) => void warnings.push(message) },
  });
  let changes = 0;
  events.onChange(() => changes++);
  await events.begin();
  // Each connection ends after its event, and the next one follows.
  await until('two warnings', () => warnings.length > 1);
  expect(new Set(warnings)).toEqual(new Set(['an event of the container engine has an unknown format']));
  expect(changes).toBeGreaterThan(0);
  await events.close();
  rmSync(dataDir, { recursive: true, force: true });
});
