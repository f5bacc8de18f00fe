/** Lists and removes the images that the container engine has already. */
import type { ContainerInfo, ImageInfo } from 'dockerode';
import { AppError } from '#contract/core/errors.ts';
import type { LocalImage } from '#contract/local/image.ts';
import type { ContainerEngine, EngineFinder } from '../engine/discovery.ts';
import { bare, isStatus } from '../engine/errorMessages.ts';
import { podFailure } from '../pods/failure.ts';

/** Instead of a tag that another image has now. */
const NO_NAME = /^<none>|[:@]<none>$/;

type Image = Pick<ImageInfo, 'Id' | 'RepoTags' | 'RepoDigests' | 'Size' | 'Created'>;
type Container = Pick<ContainerInfo, 'Names' | 'ImageID'>;

const nameOf = ({ Names }: Container): string => (Names[0] ?? '').replace(/^\//, '');

/** What an image can be removed by: its tags; without one, its only digest or its id. */
function namesOf({ Id, RepoTags, RepoDigests }: Image): string[] {
  const tags = (RepoTags ?? []).filter((name) => !NO_NAME.test(name));
  if (tags.length > 0) return tags;
  const digests = (RepoDigests ?? []).filter((name) => !NO_NAME.test(name));
  return digests.length === 1 ? digests : [Id];
}

/** By the id of an image. */
type ImagePorts = ReadonlyMap<string, readonly string[]>;

/** The images by each of their names, the newest first. */
export const imagesByName = (
  images: readonly Image[],
  containers: readonly Container[],
  ports: ImagePorts,
): LocalImage[] =>
  images
    .toSorted((one, other) => other.Created - one.Created)
    .flatMap((image) =>
      namesOf(image).map((name) => ({
        id: image.Id,
        name,
        sizeBytes: image.Size,
        createdAt: new Date(image.Created * 1000).toISOString(),
        containers: containers.filter(({ ImageID }) => ImageID === image.Id).map(nameOf),
        ...(ports.has(image.Id) && { ports: [...(ports.get(image.Id) ?? [])] }),
      })),
    );

/** So many images are read at the same time. */
const READS = 8;

/** Reads the ports of images. The id of an image is the hash of its settings, so that each is read only once. */
function createPortReader() {
  const ports = new Map<string, readonly string[]>();
  return async ({ docker }: ContainerEngine, ids: readonly string[]): Promise<ImagePorts> => {
    for (const id of ports.keys()) if (!ids.includes(id)) ports.delete(id);
    const wanted = ids.filter((id) => !ports.has(id)).values();
    const read = async () => {
      for (const id of wanted) {
        try {
          const { Config } = await docker.getImage(id).inspect();
          // Podman leaves it out where there are none.
          const exposed: object = Config.ExposedPorts ?? {};
          ports.set(
            id,
            Object.keys(exposed).toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10)),
          );
        } catch (error) {
          // It was removed meanwhile.
          if (!isStatus(error, 404)) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: READS }, read));
    return ports;
  };
}

/**
 * Lists the images by their names. Empty where no container engine answers. Throws UNAVAILABLE where it stops to answer
 * meanwhile.
 */
export function createImageList(finder: Pick<EngineFinder, 'find'>): () => Promise<LocalImage[]> {
  const readPorts = createPortReader();
  return async () => {
    const engine = await finder.find();
    if (typeof engine === 'string') return [];
    const { docker, name } = engine;
    try {
      const [images, containers] = await Promise.all([docker.listImages(), docker.listContainers({ all: true })]);
      return imagesByName(
        images,
        containers,
        await readPorts(
          engine,
          images.map(({ Id }) => Id),
        ),
      );
    } catch (error) {
      throw podFailure(error, { name, doing: 'list its images' });
    }
  };
}

/** The names of the containers that were made from an image, running or not. */
async function containersOf({ docker }: Pick<ContainerEngine, 'docker'>, image: string): Promise<string[]> {
  const [{ Id }, all] = await Promise.all([docker.getImage(image).inspect(), docker.listContainers({ all: true })]);
  return all.filter(({ ImageID }) => ImageID === Id).map(nameOf);
}

/** Why an image was not removed, and what to do. `names`: of its containers; null if they could not be read. */
function refusalOf(image: string, names: readonly string[] | null, error: unknown): string {
  const quoted = JSON.stringify(image);
  if (names === null) return `A container was made from the image ${quoted}. Remove the container or its Pod first.`;
  // Something else uses it, which the container engine names.
  if (names.length === 0) return `The image ${quoted} is in use: ${bare(error)}.`;
  const list = names.map((name) => JSON.stringify(name)).join(', ');
  return names.length === 1
    ? `The container ${list} was made from the image ${quoted}. Remove the container or its Pod first.`
    : `The containers ${list} were made from the image ${quoted}. Remove them or their Pods first.`;
}

/**
 * Removes one name of an image; with its last name, the image itself. Throws UNAVAILABLE without a container engine,
 * NOT_FOUND for an unknown image, and CONFLICT while a container was made from it.
 */
export async function removeLocalImage(finder: Pick<EngineFinder, 'find'>, image: string): Promise<void> {
  const engine = await finder.find();
  if (typeof engine === 'string') throw new AppError('UNAVAILABLE', engine);
  try {
    await engine.docker.getImage(image).remove();
  } catch (error) {
    if (isStatus(error, 404)) throw new AppError('NOT_FOUND', `There is no image ${JSON.stringify(image)} here.`);
    if (isStatus(error, 409)) {
      const names = await containersOf(engine, image).catch(() => null);
      throw new AppError('CONFLICT', refusalOf(image, names, error), { cause: error });
    }
    throw podFailure(error, { name: engine.name, doing: `remove the image ${image}` });
  }
}
