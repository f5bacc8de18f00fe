/** What uses an image of the container engine, and what can be removed. */
import type { ResourceUse, TemplateRow } from '#contract/bridge/resource.ts';
import { isUntagged, type LocalImage } from '#contract/local/image.ts';
import { t } from '../../language/text.ts';

export interface ImageRow extends LocalImage {
  /** The Pods and the templates that start it: a stopped Pod, too, which has no container. */
  usedBy: readonly ResourceUse[];
  /** Names of other containers that were made from it. */
  usedByContainers: readonly string[];
  /** The Pods with a container that was made from it. */
  podsOnIt: readonly ResourceUse[];
  /** Whether this is the only name of the image: the image goes with it. */
  isLastName: boolean;
}

/** An engine of Hangar names the container of a Pod so, with the id of the Pod. */
const OF_POD = /^hangar-pod-([^-]+)-/;

/** An image name without a tag means the tag "latest". */
const withTag = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`);

/** The id of the Pod whose container has this name; an empty text for any other container. */
const podIdOf = (container: string): string => OF_POD.exec(container)?.[1] ?? '';

type Starter = Pick<TemplateRow, 'id' | 'name' | 'imageName'>;

/** `pods`: all Pods of the computer. The container of any other Pod keeps its own name. */
export const imageRows = (
  images: readonly LocalImage[],
  templates: readonly Starter[],
  pods: readonly Starter[],
): ImageRow[] => {
  const podIds = new Set(pods.map(({ id }) => id));
  const idOf = ({ id, name }: LocalImage): string => id ?? name;
  return images.map((image) => {
    const containers = image.containers ?? [];
    const inContainers = new Set(containers.map(podIdOf));
    const startsIt = ({ imageName }: Starter): boolean => withTag(imageName) === image.name;
    const asUse =
      (kind: ResourceUse['kind']) =>
      ({ id, name }: Starter): ResourceUse => ({ kind, id, name });
    const podsOnIt = pods.filter(({ id }) => inContainers.has(id)).map(asUse('pod'));
    return {
      ...image,
      podsOnIt,
      isLastName: images.filter((other) => idOf(other) === idOf(image)).length === 1,
      usedBy: [
        ...pods.filter((pod) => inContainers.has(pod.id) || startsIt(pod)).map(asUse('pod')),
        ...templates.filter(startsIt).map(asUse('template')),
      ],
      usedByContainers: containers.filter((container) => !podIds.has(podIdOf(container))),
    };
  });
};

/** Images that no Pod, no other container and no template uses; first those without a tag, which nothing can start. */
export const unusedImages = (rows: readonly ImageRow[]): ImageRow[] =>
  rows
    .filter(({ usedBy, usedByContainers }) => usedBy.length + usedByContainers.length === 0)
    .toSorted((one, other) => Number(isUntagged(other)) - Number(isUntagged(one)));

/** The first characters of a digest, as container engines show it. */
const DIGEST = /(^|@)sha256:([0-9a-f]{12})[0-9a-f]*$/;

/** The name of an image for a person. */
export const shownName = ({ name }: LocalImage): string => {
  const [, , short] = DIGEST.exec(name) ?? [];
  if (short === undefined) return name;
  const place = name.split('@')[0] ?? '';
  return place === name ? t`without a name, ${short}` : t`${place}, without a tag, ${short}`;
};

/** Bytes of images. Names of one image count once; layers that images share count for each image. */
export function bytesOf(images: readonly LocalImage[]): number {
  const sizes = new Map(images.map(({ id, name, sizeBytes }) => [id ?? name, sizeBytes]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
