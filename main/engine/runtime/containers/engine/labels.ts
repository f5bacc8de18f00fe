/** Labels by which an engine knows the workers' containers that it has started, and those that an earlier one has left behind. */
import { randomBytes } from 'node:crypto';
import type { DataFolderId } from './dataFolderId.ts';

const LABEL = {
  /** Of the data folder, so that engines on other folders, or other machines, leave them alone. */
  data: 'hangar.data',
  /** Of one run of the engine. */
  run: 'hangar.run',
  endpoint: 'hangar.endpoint',
  worker: 'hangar.worker',
};

export interface ContainerLabels {
  of(worker: { workerId: string; endpointId: string }): Record<string, string>;
  /** A filter for the containers of this data folder, of whatever run. */
  readonly ours: string;
  /** Whether a container was started by this very run. */
  ofThisRun(labels: Record<string, string>): boolean;
  /** Whether a container was ever started from this data folder. */
  used(): boolean;
}

/** Whether it is the container of a worker of this data folder. */
export const isWorkerOf = (labels: Record<string, string>, folder: DataFolderId, workerId: string): boolean =>
  labels[LABEL.worker] === workerId && labels[LABEL.data] === folder.get();

export function createContainerLabels(folder: DataFolderId): ContainerLabels {
  const run = randomBytes(6).toString('hex');

  return {
    of: ({ workerId, endpointId }) => ({
      [LABEL.data]: folder.get(),
      [LABEL.run]: run,
      [LABEL.endpoint]: endpointId,
      [LABEL.worker]: workerId,
    }),
    get ours() {
      return `${LABEL.data}=${folder.get()}`;
    },
    ofThisRun: (labels) => labels[LABEL.run] === run,
    used: () => folder.used(),
  };
}
