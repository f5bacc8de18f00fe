/** Finds the running containers of Pods and workers, for terminals. */
import type { Container } from 'dockerode';
import { AppError } from '#contract/core/errors.ts';
import type { EngineFinder } from './engine/discovery.ts';
import { createDataFolderId } from './engine/dataFolderId.ts';
import { workerContainerName } from './workers/options.ts';
import { isWorkerOf } from './engine/labels.ts';
import { isStatus } from './engine/errorMessages.ts';
import { podFailure } from './pods/failure.ts';
import { podLabels } from './pods/labels.ts';

export interface RunningContainers {
  /** Null without a running container. Throws UNAVAILABLE where no container engine answers. */
  ofPod(podId: string): Promise<Container | null>;
  ofWorker(workerId: string): Promise<Container | null>;
}

export function createRunningContainers({
  dataDir,
  finder,
}: {
  dataDir: string;
  finder: EngineFinder;
}): RunningContainers {
  const folder = createDataFolderId(dataDir);

  async function named(
    id: string,
    nameOf: (id: string) => string,
    matches: (labels: Record<string, string>) => boolean,
  ): Promise<Container | null> {
    // A folder without an id never had a container. The id becomes a part of a URL, so its characters are checked.
    if (!folder.used() || !/^[\w-]+$/.test(id)) return null;
    const engine = await finder.find();
    if (typeof engine === 'string') throw new AppError('UNAVAILABLE', engine);
    try {
      const container = engine.docker.getContainer(nameOf(id));
      const { Id, State, Config } = await container.inspect();
      return State.Running && matches(Config.Labels) ? engine.docker.getContainer(Id) : null;
    } catch (error) {
      if (isStatus(error, 404)) return null;
      throw podFailure(error, { name: engine.name, doing: 'find the container' });
    }
  }

  return {
    ofPod: (podId) =>
      named(
        podId,
        (id) => podLabels.name(folder, id),
        (labels) => podLabels.isOf(labels, folder, podId),
      ),
    ofWorker: (workerId) => named(workerId, workerContainerName, (labels) => isWorkerOf(labels, folder, workerId)),
  };
}
