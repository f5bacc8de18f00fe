/** Reads a dropped folder by the app, which a desktop window tells where the folder is. */
import { TransferRefused } from '../../client/files/transferRefused.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import type { FolderReader } from './droppedFiles.ts';

export const readGrantedFolder: FolderReader = async (folder) => {
  try {
    const grantId = await window.hangarHost?.grantFile(folder);
    if (grantId == null) return null;
    const { files, ...read } = await api.files.grantedFolder({ grantId });
    const granted = files.map(({ path, sizeBytes: size, modifiedAt: lastModified }) => ({
      path,
      file: { grantId, path, size, lastModified },
    }));
    return { ...read, files: granted };
  } catch (error) {
    throw new TransferRefused(errorText(error));
  }
};
