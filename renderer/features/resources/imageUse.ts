/** What uses an image of the container engine, and what can be removed. */
import type { TemplateRow } from '#contract/bridge/resource.ts';
import type { LocalImage } from '#contract/local/image.ts';

export interface ImageRow extends LocalImage {
  /** Names of containers that were made from it. */
  usedByContainers: readonly string[];
  /** Names of templates that start it. */
  usedByTemplates: readonly string[];
}

/** An image name without a tag means the tag "latest". */
const withTag = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`);

export const imageRows = (
  images: readonly LocalImage[],
  templates: readonly Pick<TemplateRow, 'name' | 'imageName'>[],
): ImageRow[] =>
  images.map((image) => ({
    ...image,
    usedByContainers: image.containers ?? [],
    usedByTemplates: templates.filter(({ imageName }) => withTag(imageName) === image.name).map(({ name }) => name),
  }));

/** Images that no container and no template uses. */
export const unusedImages = (rows: readonly ImageRow[]): ImageRow[] =>
  rows.filter(({ usedByContainers, usedByTemplates }) => usedByContainers.length + usedByTemplates.length === 0);

/** Bytes of images. Names of one image count once; layers that images share count for each image. */
export function bytesOf(images: readonly LocalImage[]): number {
  const sizes = new Map(images.map(({ id, name, sizeBytes }) => [id ?? name, sizeBytes]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
