/** Names for new Pods. */
import { freeName } from '../../../ui/names/freeName.ts';
import { programOf } from './gallery/programs.ts';
import type { PodValues } from './podForm.ts';

/**
 * The program of an image, or its name without registry, folder, tag and digest; '' for an image that is not written
 * yet.
 */
const nameOfImage = (imageName: string): string =>
  programOf(imageName)?.id ?? /([^/:@]+)(?:[:@][^/]*)?$/.exec(imageName.trim())?.[1] ?? '';

/** The change, with a name after its image unless the person has written one. */
export function withSuggestedName(
  { name, imageName }: Pick<PodValues, 'name' | 'imageName'>,
  change: Partial<PodValues>,
  taken: readonly string[],
): Partial<PodValues> {
  const suggestion = (image: string): string => freeName(nameOfImage(image), taken);
  const isOwn = name !== '' && name !== suggestion(imageName);
  if (change.imageName === undefined || change.name !== undefined || isOwn) return change;
  return { ...change, name: suggestion(change.imageName) };
}
