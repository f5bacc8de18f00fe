/** Keeps containers to the size of their disk, with engines whose storage can. */
import type { Container, ContainerCreateOptions } from 'dockerode';
import type { ContainerEngine } from './discovery.ts';

/** What an engine says whose storage cannot keep a container to a size. */
const NO_QUOTAS = /storage.?opt|quota/i;

/** The option that asks for a size. */
export const diskLimit = (diskGb: number): { StorageOpt?: { size: string } } =>
  diskGb > 0 ? { StorageOpt: { size: `${diskGb}G` } } : {};

export interface DiskQuota {
  /** Makes a container of what `options` answers: with its disk limited, where the engine can do that; `onUnlimited` where not. */
  create(
    engine: ContainerEngine,
    options: (limitDisk: boolean) => ContainerCreateOptions,
    onUnlimited: (reason: string) => void,
  ): Promise<Container>;
}

export function createDiskQuota(): DiskQuota {
  /** By address: those that refused once are not asked again. */
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
        if (!NO_QUOTAS.test((error as Error).message)) throw error;
        // It was made before that was noticed.
        await docker
          .getContainer(options(false).name!)
          .remove({ force: true })
          .catch(() => undefined);
        unlimited.add(place.address);
        return unlimitedOne();
      }
    },
  };
}
