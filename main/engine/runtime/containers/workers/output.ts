/** Reads the output of a container into the log of its worker, even when the connection to the engine breaks. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'dockerode';
import type { WorkerLog } from '../../logs/workerLogs.ts';
import { takeApart } from '../engine/demux.ts';

/** The pause before a reconnect to a running container, milliseconds. */
export const RECONNECT_MS = 500;

export interface ContainerOutput {
  /**
   * Resolves once the output of the ended container is read. The connection for the output may break earlier or later
   * than the one that waits for the end. The reader therefore calls `hasEnded` itself, and reconnects while the
   * container runs.
   */
  readUntil(hasEnded: () => Promise<boolean>): Promise<void>;
}

/** Connects and reads from now on. Rejects where the engine does not answer. */
export async function readOutput(container: Container, log: WorkerLog): Promise<ContainerOutput> {
  /** Resolves once all output of this connection is read. */
  let connection = await connect(container, log);
  return {
    async readUntil(hasEnded) {
      for (;;) {
        await connection.closed;
        if (await hasEnded()) return;
        await delay(RECONNECT_MS);
        // The engine is away. Another part notices the end of the container; until then the reader tries again.
        connection = await connect(container, log).catch(() => connection);
      }
    },
  };
}

async function connect(container: Container, log: WorkerLog): Promise<{ closed: Promise<unknown> }> {
  const { stdout, stderr } = takeApart(await container.attach({ stream: true, stdout: true, stderr: true }));
  const closed = Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.once('close', resolve))));
  log.read(stdout);
  log.read(stderr, 'stderr');
  return { closed };
}
