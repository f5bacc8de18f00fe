/**
 * The procedures about the folder of an endpoint. They use the part of an account's client that only an engine of
 * Hangar has.
 */
import { AppError } from '#contract/core/errors.ts';
import type { folderContract } from '#contract/bridge/folder.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { FoldersApi } from '../../compute/folders.ts';
import type { Directory } from '../../services/directory.ts';

/** NOT_FOUND, with a sentence for a person, if the account is no engine of Hangar. */
export function foldersOf(directory: Pick<Directory, 'compute' | 'get'>, accountId: string): FoldersApi {
  const { local } = directory.compute(accountId);
  if (local !== null) return local.folders;
  const { name } = directory.get(accountId);
  throw new AppError('NOT_FOUND', `"${name}" is not a Hangar engine: it does not run handlers from folders.`);
}

export function bindFolders(
  folders: ImplementerInternalWithMiddlewares<typeof folderContract, object, object>,
  directory: Directory,
) {
  const of = (accountId: string): FoldersApi => foldersOf(directory, accountId);
  return {
    setPython: folders.setPython.handler(({ input }) => of(input.accountId).setPython(input.endpointId, input.python)),
    declaredInput: folders.declaredInput.handler(({ input }) => of(input.accountId).declaredInput(input.endpointId)),
    environment: folders.environment.handler(({ input }) => of(input.accountId).environment(input.endpointId)),
    makeEnvironment: folders.makeEnvironment.handler(({ input }) =>
      of(input.accountId).makeEnvironment(input.endpointId),
    ),
    stopEnvironment: folders.stopEnvironment.handler(({ input }) =>
      of(input.accountId).stopEnvironment(input.endpointId),
    ),
    check: folders.check.handler(({ input }) => of(input.accountId).check(input.endpointId)),
    startCheck: folders.startCheck.handler(({ input }) => of(input.accountId).startCheck(input.endpointId)),
    stopCheck: folders.stopCheck.handler(({ input }) => of(input.accountId).stopCheck(input.endpointId)),
  };
}
