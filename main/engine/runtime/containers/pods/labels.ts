/** Names and labels of Pods' containers. The workers' sweep does not know them: Pods run on when the engine ends, and are found again. */
import type { DataFolderId } from '../engine/dataFolderId.ts';

const LABEL = {
  /** Of the data folder. */
  data: 'hangar.pod.data',
  pod: 'hangar.pod',
  /** Digest of what the container was made of. */
  plan: 'hangar.pod.plan',
  /** uuids of the GPUs that it was made for. */
  gpus: 'hangar.pod.gpus',
  /** `22=40000`: private port and port of this machine. */
  ports: 'hangar.pod.ports',
};

interface PodFacts {
  podId: string;
  digest: string;
  gpuUuids: readonly string[];
  ports: ReadonlyMap<number, number>;
}

const listed = (label: string | undefined): string[] => (label === undefined || label === '' ? [] : label.split(','));

export const podLabels = {
  of: (folder: DataFolderId, { podId, digest, gpuUuids, ports }: PodFacts): Record<string, string> => ({
    [LABEL.data]: folder.get(),
    [LABEL.pod]: podId,
    [LABEL.plan]: digest,
    [LABEL.gpus]: gpuUuids.join(','),
    [LABEL.ports]: [...ports].map((pair) => pair.join('=')).join(','),
  }),

  /** A copied data folder has Pods of the same ids. */
  name: (folder: DataFolderId, podId: string): string => `hangar-pod-${podId}-${folder.get().slice(0, 6)}`,

  read: (labels: Record<string, string>): PodFacts => ({
    podId: labels[LABEL.pod] ?? '',
    digest: labels[LABEL.plan] ?? '',
    gpuUuids: listed(labels[LABEL.gpus]),
    ports: new Map(listed(labels[LABEL.ports]).map((pair) => pair.split('=').map(Number) as [number, number])),
  }),

  /** Whether it is the container of a Pod of this data folder. */
  isOf: (labels: Record<string, string>, folder: DataFolderId, podId: string): boolean =>
    labels[LABEL.pod] === podId && labels[LABEL.data] === folder.get(),

  /** A filter for the containers of this data folder; with an id for those of one Pod. */
  filter: (folder: DataFolderId, podId?: string): string[] => [
    `${LABEL.data}=${folder.get()}`,
    ...(podId === undefined ? [] : [`${LABEL.pod}=${podId}`]),
  ],
};
