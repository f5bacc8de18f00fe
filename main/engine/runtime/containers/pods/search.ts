/** Reads the existing containers of Pods from their container engine. */
import * as z from 'zod';
import type { Container, ContainerInspectInfo } from 'dockerode';
import type { PodContainer } from '../../../domain/pods/podInterfaces.ts';
import type { ContainerEngine } from '../engine/discovery.ts';
import type { DataFolderId } from '../engine/dataFolderId.ts';
import { isStatus } from '../engine/errorMessages.ts';
import { podLabels } from './labels.ts';

/** The containers of a data folder, or of one Pod. */
export async function findPods(
  { docker }: ContainerEngine,
  folder: DataFolderId,
  podId?: string,
): Promise<ContainerInspectInfo[]> {
  if (!folder.used()) return [];
  const label = podLabels.filter(folder, podId);
  const listed = await docker.listContainers({ all: true, filters: { label } });
  const inspections = listed.map(({ Id }) =>
    docker
      .getContainer(Id)
      .inspect()
      .catch((error: unknown) => {
        // The container was removed after the listing.
        if (isStatus(error, 404)) return null;
        throw error;
      }),
  );
  return (await Promise.all(inspections)).filter((info) => info !== null);
}

export async function findPod(
  engine: ContainerEngine,
  folder: DataFolderId,
  podId: string,
): Promise<{ container: Container; info: ContainerInspectInfo } | null> {
  const [info] = await findPods(engine, folder, podId);
  return info ? { container: engine.docker.getContainer(info.Id), info } : null;
}

/** A part of `HostConfig` that the types of the client omit. */
const storageSchema = z.object({ StorageOpt: z.record(z.string(), z.unknown()).nullish() });

export function containerOf(info: ContainerInspectInfo): PodContainer {
  const { State: state, HostConfig: host } = info;
  const { Labels: labels } = info.Config;
  const { podId, gpuUuids, ports } = podLabels.read(labels);
  const started = Date.parse(state.StartedAt);
  // Before the first start, the engine reports a time at the start of the calendar.
  const startedAt = started > 0 ? started : null;
  const running = state.Running;
  return {
    podId,
    running,
    startedAt,
    gpuUuids,
    isDiskLimited: storageSchema.parse(host).StorageOpt?.['size'] !== undefined,
    exitCode: running || startedAt === null ? null : state.ExitCode,
    outOfMemory: !running && state.OOMKilled,
    ports: new Map(running ? [...ports].map(([inside, port]) => [inside, { host: '127.0.0.1', port }]) : []),
  };
}
