/** What the images of the container engine and the containers of this data folder take of its disk. */
import * as z from 'zod';
import { within } from './engine/client.ts';
import type { ContainerEngine, EngineFinder } from './engine/discovery.ts';
import type { DataFolderId } from './engine/dataFolderId.ts';
import { isOwnContainer } from './engine/labels.ts';
import { podLabels } from './pods/labels.ts';
import { podFailure } from './pods/failure.ts';
import { tagged } from './images/imageName.ts';

export interface ContainerDiskUsage {
  /**
   * `freeableBytes`: what the removal of images without a container and a template frees at least; 0 without such
   * images, null if it is unknown.
   */
  images: { bytes: number; count: number; freeableBytes: number | null };
  /** The writable layers of the containers of this data folder. */
  containers: { bytes: number; count: number };
  /** Where the engine keeps its data, as the engine's machine names it; null if it does not tell. */
  folder: string | null;
}

const size = z.number().nullish().catch(null);
const imagesSchema = z.array(
  z.object({ RepoTags: z.array(z.string()).nullish().catch(null), Size: size, SharedSize: size, Containers: size }),
);
const containersSchema = z.array(
  z.object({ SizeRw: size, Labels: z.record(z.string(), z.string()).nullish().catch(null) }),
);
/**
 * The used fields of the engine's answer, in both shapes: from version 1.52 of the API on it has the last two, before
 * and from Podman the first three. A field that another engine lacks or has otherwise counts as unknown.
 */
const answerSchema = z.object({
  LayersSize: size,
  Images: imagesSchema.nullish(),
  Containers: containersSchema.nullish(),
  ImageUsage: z.object({ TotalSize: size, Items: imagesSchema.nullish() }).nullish(),
  ContainerUsage: z.object({ Items: containersSchema.nullish() }).nullish(),
});
const infoSchema = z.object({ DockerRootDir: z.string().nullish().catch(null) });

/** Longest wait for the engine, milliseconds: below the time that clients wait for an answer. */
const MOST_MS = 25_000;

/**
 * The query of the measurement. Without `verbose`, an engine from version 1.52 on tells sums alone; earlier ones ignore
 * it. Those before 1.42 ignore `type` and also measure volumes and build caches.
 */
const QUERY = { type: ['container', 'image'], verbose: 1 };

function askUsage({ docker }: ContainerEngine, abortSignal: AbortSignal): Promise<unknown> {
  const statusCodes = { 200: true, 500: 'server error' };
  // The function of the client sends no query.
  const call = { path: '/system/df?', method: 'GET', options: QUERY, statusCodes, abortSignal };
  return new Promise((resolve, reject) => {
    docker.modem.dial(call, (error: Error | null, data: unknown) => (error === null ? resolve(data) : reject(error)));
  });
}

const sum = (sizes: readonly (number | null | undefined)[]): number =>
  sizes.reduce<number>((total, one) => total + Math.max(0, one ?? 0), 0);

/** Amounts of an answer of the engine. `isUsed` says of a name whether a template starts it. */
export function amountsOf(
  answer: unknown,
  isOwn: (labels: Record<string, string>) => boolean,
  isUsed: (name: string) => boolean,
): Omit<ContainerDiskUsage, 'folder'> {
  const { LayersSize, Images, Containers, ImageUsage, ContainerUsage } = answerSchema.parse(answer);
  const images = ImageUsage?.Items ?? Images ?? [];
  const unused = images.filter(
    ({ RepoTags, Containers: users }) => users === 0 && (RepoTags ?? []).length > 0 && !(RepoTags ?? []).some(isUsed),
  );
  const freeable = sum(unused.map(({ Size, SharedSize }) => (Size ?? 0) - (SharedSize ?? 0)));
  const isKnown = unused.every(({ SharedSize }) => (SharedSize ?? -1) >= 0);
  const own = (ContainerUsage?.Items ?? Containers ?? []).filter(({ Labels }) => isOwn(Labels ?? {}));
  return {
    images: {
      bytes: ImageUsage?.TotalSize ?? LayersSize ?? sum(images.map(({ Size }) => Size)),
      count: images.length,
      // A layer of other images stays with them. Images that share all their layers may share them with each other.
      freeableBytes: unused.length === 0 || (isKnown && freeable > 0) ? freeable : null,
    },
    containers: { bytes: sum(own.map(({ SizeRw }) => SizeRw)), count: own.length },
  };
}

/**
 * Measures for up to 25 seconds; an engine with very many images needs longer. Answers why it cannot, as a sentence.
 * `imagesInUse`: names of images that templates start.
 */
export async function measureContainerDisk(
  finder: Pick<EngineFinder, 'find'>,
  folder: DataFolderId,
  imagesInUse: readonly string[],
): Promise<ContainerDiskUsage | string> {
  const engine = await finder.find();
  if (typeof engine === 'string') return engine;
  const names = new Set(imagesInUse.map(tagged));
  const isOwn = (labels: Record<string, string>): boolean =>
    folder.used() && (isOwnContainer(labels, folder) || podLabels.isOwn(labels, folder));
  return within(MOST_MS, async ({ abortSignal }) => {
    try {
      const answer = await askUsage(engine, abortSignal);
      const info: unknown = await engine.docker.info();
      return {
        ...amountsOf(answer, isOwn, (name) => names.has(name)),
        folder: infoSchema.parse(info).DockerRootDir ?? null,
      };
    } catch (error) {
      if (abortSignal.aborted) {
        return `${engine.name} did not measure its images and containers within ${MOST_MS / 1000} s. Try again when it has less to do.`;
      }
      return podFailure(error, { name: engine.name, doing: 'measure its images and containers' }).message;
    }
  });
}
