/** Containers that earlier workers have left behind are removed before a worker starts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Logger } from '../../../main/engine/domain/core/ports.ts';
import { createDataFolderId } from '../../../main/engine/runtime/containers/engine/dataFolderId.ts';
import { createEngineFinder } from '../../../main/engine/runtime/containers/engine/discovery.ts';
import { hostNetwork } from '../../../main/engine/runtime/containers/engine/hostAccess.ts';
import { createContainerLabels, type ContainerLabels } from '../../../main/engine/runtime/containers/engine/labels.ts';
import { createWorkerEngine } from '../../../main/engine/runtime/containers/workers/workerEngine.ts';
import { startContainerEngine, whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { silentLogger } from '../../support/core/fakes.ts';
import { skipFor } from '../../support/core/skip.ts';
import { SHELL_IMAGE } from './containerWorkers.ts';

describe('containers that were left behind', skipFor(whyNoContainers()), () => {
  let containers: TestContainerEngine;
  let dataDir: string;
  beforeAll(async () => {
    containers = await startContainerEngine();
    await makeShellImage(containers.docker, SHELL_IMAGE);
  });
  afterAll(() => containers.closeEmpty());
  beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'hangar-left-'))));
  afterEach(() => rm(dataDir, { recursive: true }));

  const labelsOfRun = (): ContainerLabels => createContainerLabels(createDataFolderId(dataDir));
  /** Makes a container that runs, as a worker of the run with these labels. */
  async function makeWorker(labels: ContainerLabels): Promise<string> {
    const container = await containers.docker.createContainer({
      Image: SHELL_IMAGE,
      Cmd: ['sleep', '600'],
      Labels: labels.of({ workerId: 'worker', endpointId: 'endpoint' }),
    });
    await container.start();
    return container.id;
  }
  function workerEngine(labels: ContainerLabels, logger: Logger = silentLogger) {
    const finder = createEngineFinder({ env: { DOCKER_HOST: containers.host } });
    return { finder, ...createWorkerEngine({ logger, finder, labels, host: hostNetwork(false) }) };
  }

  test('are removed once, however many workers start at that moment', async () => {
    const earlier = labelsOfRun();
    for (let count = 0; count < 4; count++) await makeWorker(earlier);
    const engine = workerEngine(labelsOfRun());
    const states = await Promise.all(Array.from({ length: 6 }, () => engine.ready()));
    expect(states.filter((state) => typeof state === 'string')).toEqual([]);
    expect(await containers.ours()).toEqual([]);
  });

  test('are removed later where they are reported while others are removed', async () => {
    const earlier = labelsOfRun();
    const now = labelsOfRun();
    await makeWorker(earlier);
    const left = await makeWorker(now);
    let report = (): void => undefined;
    const engine = workerEngine(now, { ...silentLogger, info: () => report() });
    const containerEngine = await engine.finder.find();
    if (typeof containerEngine === 'string') throw new Error(containerEngine);
    report = () => engine.addLeftover(left, containerEngine);
    await engine.ready();
    report = () => undefined;
    expect((await containers.ours()).map(({ Id }) => Id)).toEqual([left]);
    await engine.ready();
    expect(await containers.ours()).toEqual([]);
  });
});
