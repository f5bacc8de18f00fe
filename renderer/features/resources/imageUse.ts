/** What uses an image of the container engine, and what can be removed. */
import type { TemplateRow } from '#contract/bridge/resource.ts';
import type { LocalImage } from '#contract/local/image.ts';

export interface ImageRow extends LocalImage {
  /** Names of Pods whose containers were made from it. */
  usedByPods: readonly string[];
  /** Names of other containers that were made from it. */
  usedByContainers: readonly string[];
  /** Names of templates that start it. */
  usedByTemplates: readonly string[];
}

/** An engine of Hangar names the container of a Pod so, with the id of the Pod. */
const OF_POD = /^hangar-pod-([^-]+)-/;

/** An image name without a tag means the tag "latest". */
const withTag = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`);

/** `podNames`: by the ids of the Pods. The container of any other Pod keeps its own name. */
export const imageRows = (
  images: readonly LocalImage[],
  templates: readonly Pick<TemplateRow, 'name' | 'imageName'>[],
  podNames: ReadonlyMap<string, string>,
): ImageRow[] =>
  images.map((image) => {
    const containers = image.containers ?? [];
    const podNameOf = (container: string): string | undefined => podNames.get(OF_POD.exec(container)?.[1] ?? '');
    return {
      ...image,
      usedByPods: containers.flatMap((container) => podNameOf(container) ?? []),
      usedByContainers: containers.filter((container) => podNameOf(container) === undefined),
      usedByTemplates: templates.filter(({ imageName }) => withTag(imageName) === image.name).map(({ name }) => name),
    };
  });

/** Images that no Pod, no other container and no template uses. */
export const unusedImages = (rows: readonly ImageRow[]): ImageRow[] =>
  rows.filter(
    ({ usedByPods, usedByContainers, usedByTemplates }) =>
      usedByPods.length + usedByContainers.length + usedByTemplates.length === 0,
  );

/** Bytes of images. Names of one image count once; layers that images share count for each image. */
export function bytesOf(images: readonly LocalImage[]): number {
  const sizes = new Map(images.map(({ id, name, sizeBytes }) => [id ?? name, sizeBytes]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
