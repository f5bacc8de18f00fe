/** The name of an image as a person types or pastes it, and what is wrong with it. */
import { isImageName } from '#contract/api/imageName.ts';
import { t } from '../../../language/text.ts';

/** Without spaces around it, and without the command or the address that it was copied with. */
export const typedName = (text: string): string =>
  text
    .trim()
    .replace(/^(?:sudo\s+)?(?:docker|podman)\s+(?:image\s+)?pull\s+/, '')
    .replace(/^(?:https?|docker):\/\//, '');

/** With the tag that a pull takes without one. */
export const pulledName = (name: string): string => (/[:@][^/]*$/.test(name) ? name : `${name}:latest`);

/** What is wrong with a name and how it is written; null for the name of an image, and for none. */
export function problemOfName(name: string): string | null {
  if (name === '' || isImageName(name)) return null;
  if (/\s/.test(name)) return t`A name has no spaces. Pull one image at a time.`;
  const [path = ''] = name.split(/[:@](?!.*\/)/);
  if (path !== path.toLowerCase() && isImageName(path.toLowerCase())) {
    return t`The name must be lowercase: ${path.toLowerCase()}. Only the tag may have capital letters.`;
  }
  if (/[:@]$/.test(name)) return t`The tag is missing. Write it as in ubuntu:24.04, or remove the last character.`;
  if (/^[a-f0-9]{64}$/.test(name)) return t`This is the id of an image. Only names can be pulled.`;
  return t`This is not the name of an image. Write it as in ubuntu:24.04 or ghcr.io/me/model:1.`;
}
