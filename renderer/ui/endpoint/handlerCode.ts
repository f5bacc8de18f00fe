/** Shows the code of a handler of this computer in the browser of files, where it can be edited. */
import { notifications } from '@mantine/notifications';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { FILE_IMAGE_PREFIX } from '#contract/api/resources.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { setOpenFile } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { join } from '../files/paths.ts';
import { t } from '../../language/text.ts';

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

/** The absolute path of the folder that an endpoint's code is in; null for images, and for code of other computers. */
export const codeFolderOf = (accountId: string, imageName: string | null): string | null =>
  accountId === THIS_MACHINE ? folderOfImage(imageName) : null;

/** As they stand in an address: "C:\Users\me" is "/C:/Users/me". */
const slashed = (path: string): string => path.replaceAll('\\', '/').replace(/^(?=[A-Za-z]:)/, '/');

/** The path of a folder below another one, as in "code/greet"; '' for that one itself, null outside of it. */
export function pathBelow(folder: string, top: string): string | null {
  const below = slashed(folder).replace(/\/+$/, '');
  const root = slashed(top).replace(/\/+$/, '');
  if (below === root) return '';
  return below.startsWith(`${root}/`) ? below.slice(root.length + 1) : null;
}

const nameOf = (file: string): string => slashed(file).split('/').at(-1) ?? file;

/**
 * Opens the folder under Resources, and in it the file of the handler. `file`: its name or path; null opens the folder
 * alone. A notice says why where its files are not shown.
 */
export async function showCode(folder: string, file: string | null): Promise<void> {
  const warn = (message: string) =>
    notifications.show({ title: t`The code is not shown here`, message, 'data-tone': 'bad' });
  try {
    const { folder: top, problem } = await api.files.thisComputer();
    const path = pathBelow(folder, top);
    if (problem !== null) warn(problem);
    else if (path === null) warn(t`Hangar shows the files in ${top}. Open ${folder} in your editor.`);
    else {
      setOpenFile(file === null ? null : join(path, nameOf(file)));
      navigate({ page: 'resources', tab: 'computer', volumeId: null, path });
    }
  } catch (error) {
    warn(errorText(error));
  }
}
