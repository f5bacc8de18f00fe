/** Paths of the folders of handlers. */
import { FILE_IMAGE_PREFIX } from '#contract/api/resources.ts';

/** The path in the image name of a folder ("file:///home/me/greet"); null for any other image. */
export function folderOfImage(imageName: string | null): string | null {
  if (imageName?.startsWith(FILE_IMAGE_PREFIX) !== true) return null;
  try {
    return decodeURIComponent(imageName.slice(FILE_IMAGE_PREFIX.length));
  } catch {
    // A "%" that begins no escape: a template may have any text there.
    return null;
  }
}

/** As they stand in an address: "C:\Users\me" is "/C:/Users/me". */
export const slashed = (path: string): string => path.replaceAll('\\', '/').replace(/^(?=[A-Za-z]:)/, '/');

/** The path of a folder below another one, as in "code/greet"; '' for that one itself, null outside of it. */
export function pathBelow(folder: string, top: string): string | null {
  const below = slashed(folder).replace(/\/+$/, '');
  const root = slashed(top).replace(/\/+$/, '');
  if (below === root) return '';
  return below.startsWith(`${root}/`) ? below.slice(root.length + 1) : null;
}
