/** Connections to the TCP ports of Pods, for callers who may open a terminal in them. */
import { AppError } from '#contract/core/errors.ts';
import type { Ids } from '../../domain/core/ports.ts';
import type { PodPorts } from '../../domain/terminals/ports.ts';
import { joinSocket } from '../../../terminal/byteSocket.ts';
import type { RunningContainers } from '../containers/runningContainers.ts';
import { openPort } from './portRelay.ts';

interface PodPortsOptions {
  ids: Ids;
  containers: Pick<RunningContainers, 'ofPod'>;
}

export const createPodPorts = ({ ids, containers }: PodPortsOptions): PodPorts => ({
  async connect(podId, port) {
    const container = await containers.ofPod(podId);
    if (!container) {
      const which = JSON.stringify(podId.slice(0, 100));
      throw new AppError('NOT_FOUND', `No container of a Pod ${which} runs here. Start the Pod.`);
    }
    const stream = await openPort(container, port, ids.random(8));
    return { join: (socket) => joinSocket(socket, stream), close: stream.close };
  },
});
