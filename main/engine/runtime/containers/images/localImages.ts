/** Lists the images that the container engine has already. */
import type { ImageInfo } from 'dockerode';
import type { LocalImage } from '#contract/local/image.ts';
import type { EngineFinder } from '../engine/discovery.ts';
import { podFailure } from '../pods/failure.ts';

/** The name of a layer between two steps of a build, or of an image whose tag another one has now. */
const NO_NAME = /^<none>|:<none>$/;

/** The named images, the newest first. */
export const namedImages = (images: readonly Pick<ImageInfo, 'RepoTags' | 'Size' | 'Created'>[]): LocalImage[] =>
  images
    .toSorted((one, other) => other.Created - one.Created)
    .flatMap(({ RepoTags, Size, Created }) =>
      (RepoTags ?? [])
        .filter((name) => !NO_NAME.test(name))
        .map((name) => ({ name, sizeBytes: Size, createdAt: new Date(Created * 1000).toISOString() })),
    );

/** Empty where no container engine answers. Throws UNAVAILABLE where it stops to answer meanwhile. */
export async function listLocalImages(finder: Pick<EngineFinder, 'find'>): Promise<LocalImage[]> {
  const engine = await finder.find();
  if (typeof engine === 'string') return [];
  try {
    return namedImages(await engine.docker.listImages());
  } catch (error) {
    throw podFailure(error, { name: engine.name, doing: 'list its images' });
  }
}
