/** The address of this engine inside the containers of workers. */
import { systemCode } from '#contract/core/systemCode.ts';
import { freePort } from '../../process/freePorts.ts';
import type { Door } from '../engine/hostAccess.ts';
import type { ReadyEngine } from './workerEngine.ts';

export interface WorkerAddressOptions {
  /** The base address of the engine on this machine. */
  address(): string;
  /** Serves only the worker protocol, at an address that containers reach. Port 0 means any. Returns the port. */
  listenForWorkers(door: Door, port: number): Promise<number>;
}

export interface WorkerAddress {
  /** The base address of this engine inside a container. Listens there if that is possible. */
  of(ready: ReadyEngine): Promise<string>;
  /** Listens at the door, once. Rejects as `listen` does; the next call tries again. */
  open(door: Door): Promise<number>;
}

const keyOf = ({ listenAt, name }: Door): string => `${listenAt} ${name}`;

/** Podman creates its bridge, and the address of the bridge, with the first container. */
const isNotYetThere = ({ engine }: ReadyEngine, error: unknown): boolean =>
  systemCode(error) === 'EADDRNOTAVAIL' && engine.name === 'Podman';

export function createWorkerAddress({ address, listenForWorkers }: WorkerAddressOptions): WorkerAddress {
  const opened = new Map<string, Promise<number>>();
  /** The ports of doors that cannot listen before a container runs. */
  const reserved = new Map<string, number>();

  function open(door: Door): Promise<number> {
    const key = keyOf(door);
    const present = opened.get(key);
    if (present) return present;
    const port = listenForWorkers(door, reserved.get(key) ?? 0);
    opened.set(key, port);
    port.catch(() => opened.delete(key));
    return port;
  }

  function reserve(door: Door): number {
    const key = keyOf(door);
    const port = reserved.get(key) ?? freePort();
    reserved.set(key, port);
    return port;
  }

  return {
    open,
    async of(ready) {
      if (ready.access.kind === 'host') return address();
      const { door } = ready.access;
      const port = await open(door).catch((error: unknown) => {
        if (isNotYetThere(ready, error)) return reserve(door);
        throw error;
      });
      return `http://${door.name}:${port}`;
    },
  };
}
