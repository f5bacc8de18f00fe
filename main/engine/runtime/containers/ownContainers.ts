/** The containers of one data folder, workers and Pods alike, for a list of all that is kept and for its removal. */
import { AppError } from '#contract/core/errors.ts';
import type { OwnContainer } from '#contract/local/engine.ts';
import { createDataFolderId } from './engine/dataFolderId.ts';
import { createEngineFinder, type ContainerEngine } from './engine/discovery.ts';
import { createContainerLabels } from './engine/labels.ts';
import { podLabels } from './pods/labels.ts';
import { removeContainer } from './removal.ts';

/** The used fields of a listed container; the types of the client omit the size. */
interface Listed {
  Id: string;
  Names: string[];
  Image: string;
  State: string;
  SizeRw?: number;
}

/** The containers with their ids. Throws UNAVAILABLE where no container engine answers. */
async function find(
  dataDir: string,
): Promise<{ engine: ContainerEngine; own: (OwnContainer & { id: string })[] } | null> {
  const folder = createDataFolderId(dataDir);
  // A folder without an id never had a container.
  if (!folder.used()) return null;
  const engine = await createEngineFinder().find();
  if (typeof engine === 'string') throw new AppError('UNAVAILABLE', engine);
  const list = async (label: string, isPod: boolean) => {
    const listed: Listed[] = await engine.docker.listContainers({ all: true, size: true, filters: { label: [label] } });
    return listed.map(({ Id, Names, Image, State, SizeRw }) => ({
      id: Id,
      name: (Names[0] ?? Id).replace(/^\//, ''),
      image: Image,
      isRunning: State === 'running',
      isPod,
      bytes: SizeRw ?? null,
    }));
  };
  const [podLabel = ''] = podLabels.filter(folder);
  const [workers, pods] = await Promise.all([list(createContainerLabels(folder).ours, false), list(podLabel, true)]);
  return { engine, own: [...workers, ...pods] };
}

/** Throws UNAVAILABLE where the folder has containers and no container engine answers. */
export async function listOwnContainers(dataDir: string): Promise<OwnContainer[]> {
  return ((await find(dataDir))?.own ?? []).map(({ id: _id, ...container }) => container);
}

/** Removes all containers of the folder; running ones are killed. Throws as `listOwnContainers` does. */
export async function removeOwnContainers(dataDir: string): Promise<void> {
  const result = await find(dataDir);
  if (result === null) return;
  const { engine, own } = result;
  await Promise.all(own.map(({ id }) => removeContainer(engine.docker.getContainer(id))));
}
