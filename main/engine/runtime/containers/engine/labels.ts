/** The labels that mark the containers of our workers, those of this run and those of earlier ones. */
import { randomBytes } from 'node:crypto';
import type { DataFolderId } from './dataFolderId.ts';

const LABEL = {
  /** The id of the data folder. Engines on other folders or machines ignore the container. */
  data: 'hangar.data',
  /** The id of one run of the engine. */
  run: 'hangar.run',
  endpoint: 'hangar.endpoint',
  worker: 'hangar.worker',
};

export interface ContainerLabels {
  of(worker: { workerId: string; endpointId: string }): Record<string, string>;
  /** A filter for the containers of this data folder, of all runs. */
  readonly ours: string;
  /** Whether this run started the container. */
  ofThisRun(labels: Record<string, string>): boolean;
  /** Whether this data folder ever started a container. */
  used(): boolean;
}

/** Whether this is the container of a worker of this data folder, of any run. */
export const isOwnContainer = (labels: Record<string, string>, folder: DataFolderId): boolean =>
  labels[LABEL.data] === folder.get();

/** Whether this is the container of this worker and of this data folder. */
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
