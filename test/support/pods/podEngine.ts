/** An engine with a container engine of the test's own, for tests of Pods. */
import type Docker from 'dockerode';
import { startContainerEngine, type TestContainerEngine } from '../containers/engine.ts';
import { makeShellImage } from '../containers/images.ts';
import { startEngine, type TestEngine } from '../engine/engine.ts';
import { podsOf, SHELL_IMAGE, type PodsOf } from './pods.ts';

export interface PodEngine {
  readonly containers: TestContainerEngine;
  readonly engine: TestEngine;
  readonly pods: PodsOf;
  /** Stops both; fails where containers were left. */
  close(): Promise<void>;
}

/** A container engine that has one image: the shell, unless `makeImage` makes another one. */
export async function startPodContainers(
  makeImage = (docker: Docker): void | Promise<void> => makeShellImage(docker, SHELL_IMAGE),
): Promise<TestContainerEngine> {
  const containers = await startContainerEngine();
  await makeImage(containers.docker);
  return containers;
}

/**
 * `env`: of the engine, beside the address of its container engine. `host`: where it listens; loopback when left out.
 */
export async function startPodEngine({
  env = {},
  host = '127.0.0.1',
  makeImage,
}: {
  env?: Record<string, string>;
  host?: string;
  makeImage?: (docker: Docker) => void | Promise<void>;
} = {}): Promise<PodEngine> {
  const containers = await startPodContainers(makeImage);
  const engine = await startEngine({ host, env: { DOCKER_HOST: containers.host, ...env } });
  return {
    containers,
    engine,
    pods: podsOf(engine),
    async close() {
      await engine.close();
      await containers.closeEmpty();
    },
  };
}
