/** Limits the disk of containers, where the storage of the engine supports it. */
import { messageOf } from '#contract/core/errors.ts';
import type { Container, ContainerCreateOptions } from 'dockerode';
import type { ContainerEngine } from './discovery.ts';
import { isStatus } from './errorMessages.ts';

/** The error text of an engine whose storage has no quotas. */
const NO_QUOTAS = /storage.?opt|quota/i;

/** The option for the size of the disk, GB. */
export const diskLimit = (diskGb: number): { StorageOpt?: { size: string } } =>
  diskGb > 0 ? { StorageOpt: { size: `${diskGb}G` } } : {};

export interface DiskQuota {
  /**
   * Creates a container from `options`, with a limited disk where the engine supports it. Otherwise it calls
   * `onUnlimited`.
   */
  create(
    engine: ContainerEngine,
    options: (limitDisk: boolean) => ContainerCreateOptions,
    onUnlimited: (reason: string) => void,
  ): Promise<Container>;
}

export function createDiskQuota(): DiskQuota {
  /** The addresses of engines that refused a limit once. */
  const unlimited = new Set<string>();
  return {
    async create({ docker, place, name }, options, onUnlimited) {
      const unlimitedOne = (): Promise<Container> => {
        onUnlimited(`containerDiskInGb is not enforced: the storage of ${name} has no quotas.`);
        return docker.createContainer(options(false));
      };
      if (unlimited.has(place.address)) return unlimitedOne();
      try {
        return await docker.createContainer(options(true));
      } catch (error) {
        if (!NO_QUOTAS.test(messageOf(error))) throw error;
        // Some engines create the container before they refuse the limit.
        const { name: containerName = '' } = options(false);
        await docker
          .getContainer(containerName)
          .remove({ force: true })
          .catch((failure: unknown) => {
            if (!isStatus(failure, 404)) throw failure;
          });
        unlimited.add(place.address);
        return unlimitedOne();
      }
    },
  };
}
