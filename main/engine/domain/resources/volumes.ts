/** Network volumes: folders of this machine that workers see at /runpod-volume. */
import { LOCAL_DATA_CENTER } from '#contract/core/cloudNames.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Endpoint, NetworkVolume, VolumeCreate, VolumeUpdate } from '#contract/api/resources.ts';
import { createListeners } from '../core/listeners.ts';
import { omitUndefined } from '../core/omitUndefined.ts';
import type { Cancel, Ids } from '../core/ports.ts';
import type { StoredVolume, VolumeFolders, VolumeStore } from './ports.ts';

/** Where containers of workers see the volume of their endpoint. */
const MOUNTED_AT = '/runpod-volume';
/** The old name of this machine's region, which stored volumes may still have. */
const ONCE_HERE = 'LOCAL';

export interface Volumes {
  list(): NetworkVolume[];
  /** Throws NOT_FOUND for an unknown id. */
  get(id: string): NetworkVolume;
  has(id: string): boolean;
  /** The path of its folder on this machine. */
  folderOf(id: string): string;
  create(input: VolumeCreate): NetworkVolume;
  update(id: string, input: VolumeUpdate): NetworkVolume;
  /**
   * Deletes the volume and its folder. Throws BAD_REQUEST while it is in use. `usedBy`: its users, as words for a
   * message.
   */
  delete(id: string, usedBy: readonly string[]): Promise<void>;
  /** Called after volumes are created, changed or deleted. */
  onChange(listener: () => void): Cancel;
  /**
   * The volumes that workers of an endpoint see. In the cloud, an endpoint with several volumes has one for each
   * region. This machine is one region, so only the first volume is mounted.
   */
  mountsOf(endpoint: Endpoint): { id: string; folder: string; at: string }[];
}

const toView = ({ id, name, size, dataCenterId }: StoredVolume): NetworkVolume => ({ id, name, size, dataCenterId });

export function createVolumes(store: VolumeStore, folders: VolumeFolders, ids: Ids): Volumes {
  const volumes = new Map(
    store
      .load()
      .map((volume) => [
        volume.id,
        volume.dataCenterId === ONCE_HERE ? { ...volume, dataCenterId: LOCAL_DATA_CENTER } : volume,
      ]),
  );

  const listeners = createListeners();

  // Once for each volume: what a container sets later for its folder stays.
  for (const volume of volumes.values()) {
    if (volume.isOpenedToAll || !folders.openToAll(volume.folder)) continue;
    const opened = { ...volume, isOpenedToAll: true };
    store.save(opened);
    volumes.set(volume.id, opened);
  }

  function get(id: string): StoredVolume {
    const volume = volumes.get(id);
    if (!volume) throw new AppError('NOT_FOUND', `There is no network volume ${JSON.stringify(id)}.`);
    return volume;
  }

  function save(volume: StoredVolume): NetworkVolume {
    store.save(volume);
    volumes.set(volume.id, volume);
    listeners.call();
    return toView(volume);
  }

  return {
    list: () => [...volumes.values()].map(toView),
    get: (id) => toView(get(id)),
    has: (id) => volumes.has(id),
    folderOf: (id) => folders.path(get(id).folder),
    create({ name, size, dataCenterId }) {
      const id = ids.random(5);
      // The folder name contains the name of the volume for people, and its id to be unique.
      const folder = folders.make(name, id);
      return save({ id, name, size, dataCenterId, folder, isOpenedToAll: true });
    },
    update(id, input) {
      const before = get(id);
      if (input.size !== undefined && input.size < before.size) {
        throw new AppError(
          'BAD_REQUEST',
          `size may only grow: the network volume has ${before.size} GB, and ${input.size} GB were asked for.`,
        );
      }
      return save({ ...before, ...omitUndefined(input) });
    },
    async delete(id, usedBy) {
      // The cloud answers with this text, and clients search for it.
      if (!volumes.has(id)) throw new AppError('NOT_FOUND', 'Tried to delete nonexistent network volume');
      const { folder } = get(id);
      if (usedBy.length > 0) {
        throw new AppError(
          'BAD_REQUEST',
          `The network volume is used by ${usedBy.join(', ')}; delete or change what uses it first.`,
        );
      }
      store.delete(id);
      volumes.delete(id);
      listeners.call();
      await folders.remove(folder);
    },
    onChange: listeners.add,
    mountsOf({ networkVolumeIds }) {
      const [first] = networkVolumeIds;
      if (first === undefined || !volumes.has(first)) return [];
      return [{ id: first, folder: folders.path(get(first).folder), at: MOUNTED_AT }];
    },
  };
}
