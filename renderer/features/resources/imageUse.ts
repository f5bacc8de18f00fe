/** What uses an image of the container engine, and what can be removed. */
import type { ResourceUse, TemplateRow } from '#contract/bridge/resource.ts';
import type { LocalImage } from '#contract/local/image.ts';

export interface ImageRow extends LocalImage {
  /** The Pods whose containers were made from it, and the templates that start it. */
  usedBy: readonly ResourceUse[];
  /** Names of other containers that were made from it. */
  usedByContainers: readonly string[];
}

/** An engine of Hangar names the container of a Pod so, with the id of the Pod. */
const OF_POD = /^hangar-pod-([^-]+)-/;

/** An image name without a tag means the tag "latest". */
const withTag = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`);

/** `podNames`: by the ids of the Pods. The container of any other Pod keeps its own name. */
export const imageRows = (
  images: readonly LocalImage[],
  templates: readonly Pick<TemplateRow, 'id' | 'name' | 'imageName'>[],
  podNames: ReadonlyMap<string, string>,
): ImageRow[] =>
  images.map((image) => {
    const containers = image.containers ?? [];
    const podIdOf = (container: string): string => OF_POD.exec(container)?.[1] ?? '';
    const pods = containers.flatMap((container): ResourceUse[] => {
      const id = podIdOf(container);
      const name = podNames.get(id);
      return name === undefined ? [] : [{ kind: 'pod', id, name }];
    });
    const starting = templates
      .filter(({ imageName }) => withTag(imageName) === image.name)
      .map(({ id, name }): ResourceUse => ({ kind: 'template', id, name }));
    return {
      ...image,
      usedBy: [...pods, ...starting],
      usedByContainers: containers.filter((container) => !podNames.has(podIdOf(container))),
    };
  });

/** Images that no Pod, no other container and no template uses. */
export const unusedImages = (rows: readonly ImageRow[]): ImageRow[] =>
  rows.filter(({ usedBy, usedByContainers }) => usedBy.length + usedByContainers.length === 0);

/** Bytes of images. Names of one image count once; layers that images share count for each image. */
export function bytesOf(images: readonly LocalImage[]): number {
  const sizes = new Map(images.map(({ id, name, sizeBytes }) => [id ?? name, sizeBytes]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
