/** The code of handlers of this computer, which the window shows and changes. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { openCode } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { folderOfImage, pathBelow, slashed } from './codeFolder.ts';

/** The folder of an endpoint's handler. */
export interface HandlerCode {
  readonly endpointId: string;
  /** The name of the endpoint. */
  readonly name: string;
  /** Its absolute path. */
  readonly folder: string;
  /** The file with the handler, as a path in the folder or from the root on; null if it is not known. */
  readonly file: string | null;
}

/** The absolute path of the folder that an endpoint's code is in; null for images, and for code of other computers. */
export const codeFolderOf = (accountId: string, imageName: string | null): string | null =>
  accountId === THIS_MACHINE ? folderOfImage(imageName) : null;

/** The code of an endpoint; null for images, and on other computers. */
export function codeOf(accountId: string, { id, name, imageName, readiness }: CodeFacts): HandlerCode | null {
  const folder = codeFolderOf(accountId, imageName);
  return folder === null ? null : { endpointId: id, name, folder, file: readiness?.handler?.file ?? null };
}

type CodeFacts = Pick<EndpointRow, 'id' | 'name' | 'imageName' | 'readiness'>;

/**
 * Opens the file of a handler above the page, or its folder under Resources if the file is not known. `file`: its path,
 * in the folder or from the root on.
 */
export function showCode({ endpointId, folder, file }: Omit<HandlerCode, 'name'>): void {
  if (file !== null) openCode({ endpointId, path: pathBelow(file, folder) ?? slashed(file), line: null });
  else navigate({ page: 'resources', tab: 'computer', volumeId: null, endpointId, path: '' });
}
