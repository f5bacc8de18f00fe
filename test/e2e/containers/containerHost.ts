/**
 * The test of browser specs with containers: the host of a worker runs them on a container engine of its own. All of these
 * specs take their test from here, as Playwright starts another worker for other fixtures. One that needs a host with
 * options of its own starts it beside.
 */
import type { Pod } from '#contract/api/pod.ts';
import { startContainerEngine, whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { call } from '../support/handlers.ts';
import { expect, startHost, test as base } from '../support/host.ts';

export { expect, startHost };

const noContainers = whyNoContainers();
/** An image with little more than a shell, which the container engine of each worker has. */
export const SHELL_IMAGE = 'hangar-shell:1';

interface Fixtures {
  /**
   * The container engine of the worker's host. Each test is skipped where there can be none; it begins without a Pod, and
   * those that it leaves are deleted.
   */
  containers: TestContainerEngine;
}

interface WorkerFixtures {
  /** Null where none can be started. */
  containerEngine: TestContainerEngine | null;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  containerEngine: [
    async ({}, use) => {
      if (noContainers !== null) {
        await use(null);
        return;
      }
      await using engine = await startContainerEngine();
      await makeShellImage(engine.docker, SHELL_IMAGE);
      await use(engine);
    },
    { scope: 'worker' },
  ],
  host: [
    async ({ containerEngine }, use) => {
      const host = await startHost(containerEngine ? { dockerHost: containerEngine.host } : {});
      await use(host);
      await host.stop();
    },
    { scope: 'worker' },
  ],
  containers: [
    async ({ containerEngine, host }, use) => {
      if (containerEngine === null) {
        base.skip(true, noContainers ?? '');
        return;
      }
      await use(containerEngine);
      for (const { id, locked } of await call<Pod[]>(host, 'GET', '/v1/pods')) {
        if (locked) await call(host, 'PATCH', `/v1/pods/${id}`, { locked: false });
        await call(host, 'DELETE', `/v1/pods/${id}`);
      }
    },
    { auto: true },
  ],
});
