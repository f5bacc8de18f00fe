/** Names and labels of Pods' containers. The sweep of workers ignores them, because Pods outlive the engine. */
import type { DataFolderId } from '../engine/dataFolderId.ts';

const LABEL = {
  /** The id of the data folder. */
  data: 'hangar.pod.data',
  pod: 'hangar.pod',
  /** The digest of the container's plan. */
  plan: 'hangar.pod.plan',
  /** The uuids of its GPUs. */
  gpus: 'hangar.pod.gpus',
  /** `22=40000`: container port and port of this machine. */
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

  /** The name contains a part of the folder's id, because a copied data folder has Pods with the same ids. */
  name: (folder: DataFolderId, podId: string): string => `hangar-pod-${podId}-${folder.get().slice(0, 6)}`,

  read: (labels: Record<string, string>): PodFacts => ({
    podId: labels[LABEL.pod] ?? '',
    digest: labels[LABEL.plan] ?? '',
    gpuUuids: listed(labels[LABEL.gpus]),
    ports: new Map(
      listed(labels[LABEL.ports]).map((pair): [number, number] => {
        const [inside, outside] = pair.split('=');
        return [Number(inside), Number(outside)];
      }),
    ),
  }),

  /** Whether it is the container of any Pod of this data folder. */
  isOwn: (labels: Record<string, string>, folder: DataFolderId): boolean => labels[LABEL.data] === folder.get(),

  /** Whether it is the container of this Pod of this data folder. */
  isOf: (labels: Record<string, string>, folder: DataFolderId, podId: string): boolean =>
    labels[LABEL.pod] === podId && labels[LABEL.data] === folder.get(),

  /** A filter for the containers of this data folder, or of one Pod. */
  filter: (folder: DataFolderId, podId?: string): string[] => [
    `${LABEL.data}=${folder.get()}`,
    ...(podId === undefined ? [] : [`${LABEL.pod}=${podId}`]),
  ],
};
