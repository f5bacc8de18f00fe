/** Uploads what was dropped or picked into a folder. */
import { notifications } from '@mantine/notifications';
import { createFolderMaker, upload, type Place } from '../../client/files/transfers.ts';
import { errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import type { Dropped } from './droppedFiles.ts';
import { join } from './paths.ts';
import { counted, t } from '../../language/text.ts';

const warn = (title: string, message: string) => notifications.show({ title, message, 'data-tone': 'bad' });

/** `folder`: the place of the folder that they go to. What cannot be read is named in a notice. */
export function bring(folder: Place, { files, emptyFolders, unread, leftOut }: Dropped): void {
  const makeFolders = createFolderMaker(folder.path);
  for (const { path, file } of files) {
    upload({ ...folder, path: join(folder.path, path) }, file, path.includes('/') ? makeFolders : null);
  }
  if (unread.length > 0) warn(t`Not everything could be read`, unread.join(', '));
  if (leftOut > 0) {
    const skipped = counted(
      leftOut,
      '{0} entry is left out: a link, which is not followed, or something that is not a file.',
      '{0} entries are left out: links, which are not followed, or things that are not files.',
    );
    warn(t`Not everything was uploaded`, skipped);
  }
  if (emptyFolders.length > 0) void makeEmptyFolders();

  async function makeEmptyFolders() {
    try {
      // The maker makes the folders above a file: with a name below it, a folder is one of them.
      for (const path of emptyFolders) await makeFolders({ ...folder, path: join(folder.path, `${path}/-`) });
    } catch (error) {
      warn(t`A folder was not created`, errorText(error));
    }
    await queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
  }
}
