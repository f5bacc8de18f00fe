/** The ways of a person into running containers: terminals, SSH, files, and ports of Pods. */
import type { EngineStart } from '#contract/local/engine.ts';
import type { Clock, Ids, Logger } from '../domain/core/ports.ts';
import type { ManagedPods } from '../domain/pods/podInterfaces.ts';
import type { Records } from '../persistence.ts';
import type { EngineFinder } from '../runtime/containers/engine/discovery.ts';
import { createContainerFiles } from '../runtime/containerFiles/files.ts';
import { createRunningContainers } from '../runtime/containers/runningContainers.ts';
import { createSshServer } from '../runtime/ssh/server.ts';
import { createPodPorts } from '../runtime/terminals/podPorts.ts';
import { createContainerTerminals } from '../runtime/terminals/containerTerminals.ts';
import type { WorkerPool } from '../runtime/workers/pool/workerPool.ts';

interface ContainerAccessParts {
  settings: EngineStart;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  records: Records;
}

/** Opens nothing yet: `ssh.begin` does. */
export function createContainerAccess(
  { settings, clock, ids, logger, records }: ContainerAccessParts,
  finder: EngineFinder,
  pods: ManagedPods,
  workers: Pick<WorkerPool, 'records'>,
) {
  const { dataDir } = settings;
  const containers = createRunningContainers({ dataDir, finder });
  const runtimeOf = async (id: string) => (await workers.records()).find((worker) => worker.id === id)?.runtime ?? null;
  return {
    terminals: createContainerTerminals({ clock, ids, containers, pods, runtimeOf }),
    ssh: createSshServer({ ...records, dataDir, clock, ids, logger, pods, containers }),
    podPorts: createPodPorts({ ids, containers }),
    containerFiles: createContainerFiles({ containers, pods, ids }),
  };
}
