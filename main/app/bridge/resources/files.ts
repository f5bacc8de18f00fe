/** The procedures about the files of volumes, of Pods and of this computer. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';
import type { FileHolder, FolderChange } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import type { fileContract } from '#contract/bridge/resource.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { FilesApi } from '../../compute/files.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Directory } from '../../services/directory.ts';
import { bytesOf, compareFiles, fillUpload, type FileAt, type Progress } from '../../services/fileCopies.ts';
import { searchFiles } from '../../services/fileSearch.ts';
import type { FileGrants } from '../../services/folders/fileGrants.ts';
import type { ComputerFiles, FilesHere } from '../../services/folders/computerFiles.ts';
import type { Transfers } from '../../services/transfers.ts';
import type { Uploads } from '../../services/uploads.ts';
import type { PodFiles, PodFolder } from '../../terminals/files/podFiles.ts';
import { watchFolder } from '../watch.ts';

/** The operations that volumes, Pods and this computer have. */
interface Folder extends PodFolder {
  /** As `FilesApi` has it. */
  changes(path: string, signal: AbortSignal): AsyncGenerator<FolderChange, void, void>;
}

const engineFolder = (files: FilesApi, holder: Extract<FileHolder, { in: 'volume' | 'container' }>): Folder => ({
  list: (path) => files.list(holder, path),
  makeFolder: (path) => files.makeFolder(holder, path),
  move: (from, to) => files.move(holder, from, to),
  remove: (path, onlyEmpty) => files.remove(holder, path, onlyEmpty),
  read: (path, from, most) => files.read(holder, path, from, most),
  write: (path, { body, lengthBytes, replaces, signal }) =>
    files.write(holder, path, { body, lengthBytes, replaces, signal }),
  // An upload to an engine is one request: an interrupted one leaves nothing.
  unfinished: () => Promise.resolve([]),
  discard: () => Promise.resolve(),
  changes: (path, signal) => files.changes(holder, path, signal),
});

/** SFTP reports no changes. */
const sshFolder = (folder: PodFolder): Folder => ({
  ...folder,
  async *changes() {
    throw new AppError('UNSUPPORTED', 'Changes of files are not reported over SSH.');
  },
});

/** An upload to this computer is not continued, either. */
const folderHere = ({ watch, ...files }: FilesHere): Folder => ({
  ...files,
  unfinished: () => Promise.resolve([]),
  discard: () => Promise.resolve(),
  changes: (path, signal) => watchFolder((listener) => watch(path, listener), signal),
});

type FileRef = Readonly<{ accountId: string; holder: FileHolder; path: string }>;

interface FileBinding {
  readonly directory: Directory;
  readonly uploads: Uploads;
  readonly pods: Pick<PodFiles, 'of'>;
  readonly computer: ComputerFiles;
  readonly fileGrants: Pick<FileGrants, 'list' | 'read'>;
  readonly onRead: Transfers['noteRead'];
  readonly clock: Clock;
  readonly lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  readonly translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

export function bindFiles(
  files: ImplementerInternalWithMiddlewares<typeof fileContract, object, object>,
  { directory, uploads, pods, computer, fileGrants, onRead, clock, lifeOf, translated }: FileBinding,
) {
  function of(accountId: string, holder: FileHolder): Folder {
    if (holder.in === 'computer') return folderHere(computer.home);
    if (holder.in === 'handler') {
      if (accountId === THIS_MACHINE) return folderHere(computer.handler(holder.id));
      throw new AppError('NOT_FOUND', 'The folders of handlers are only reached on the computer that runs Hangar.');
    }
    if (holder.in === 'pod') return sshFolder(pods.of(accountId, holder.id));
    const engineFiles = directory.compute(accountId).files;
    if (engineFiles !== null) return engineFolder(engineFiles, holder);
    throw new AppError(
      'NOT_FOUND',
      `"${directory.get(accountId).name}" has no access to files: its volumes are reached from a Pod that has them.`,
    );
  }
  const fileAt = ({ accountId, holder, path }: FileRef): FileAt => ({ folder: of(accountId, holder), path });

  const fill = (
    uploadId: string,
    sizeBytes: number,
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Progress, void, void> =>
    translated(fillUpload({ uploads, uploadId, bytes, sizeBytes, clock, signal: lifeOf(signal) }));

  /**
   * Passes on how far a comparison is, and reports it as a read, so that Hangar does not end meanwhile without a
   * question.
   */
  async function* noted(
    { accountId, holder, path }: FileRef,
    totalBytes: number,
    events: AsyncGenerator<Progress, void, void>,
  ): AsyncGenerator<Progress, void, void> {
    const file = JSON.stringify([accountId, holder, path]);
    onRead(file, { doneBytes: 0, totalBytes });
    try {
      for await (const progress of events) {
        onRead(file, { ...progress, totalBytes });
        yield progress;
      }
    } finally {
      onRead(file, { doneBytes: totalBytes, totalBytes });
    }
  }

  return {
    thisComputer: files.thisComputer.handler(() => computer.place),
    list: files.list.handler(({ input: { accountId, holder, path } }) => of(accountId, holder).list(path)),
    changes: files.changes.handler(({ input: { accountId, holder, path }, signal }) =>
      translated(of(accountId, holder).changes(path, lifeOf(signal))),
    ),
    search: files.search.handler(({ input: { accountId, holder, path, text }, signal }) =>
      translated(searchFiles((folder) => of(accountId, holder).list(folder), { path, text, signal: signal ?? null })),
    ),
    makeFolder: files.makeFolder.handler(({ input: { accountId, holder, path } }) =>
      of(accountId, holder).makeFolder(path),
    ),
    move: files.move.handler(({ input: { accountId, holder, path, to } }) => of(accountId, holder).move(path, to)),
    remove: files.remove.handler(({ input: { accountId, holder, path, onlyEmpty } }) =>
      of(accountId, holder).remove(path, onlyEmpty),
    ),
    read: files.read.handler(async ({ input: { accountId, holder, path, from, sizeBytes: totalBytes } }) => {
      const file = JSON.stringify([accountId, holder, path]);
      onRead(file, { doneBytes: from, totalBytes });
      const bytes = await of(accountId, holder).read(path, from, limits.page.pieceBytes);
      onRead(file, { doneBytes: from + bytes.length, totalBytes });
      return { bytes: new Blob([Buffer.from(bytes)]) };
    }),
    beginUpload: files.beginUpload.handler(({ input: { accountId, holder, path, sizeBytes, ...more } }) => {
      const folder = of(accountId, holder);
      return { uploadId: uploads.begin(sizeBytes, (file) => folder.write(path, { ...file, ...more })) };
    }),
    putPiece: files.putPiece.handler(async ({ input: { uploadId, from, bytes } }) =>
      uploads.put(uploadId, from, new Uint8Array(await bytes.arrayBuffer())),
    ),
    endUpload: files.endUpload.handler(({ input }) => uploads.end(input.uploadId)),
    followUpload: files.followUpload.handler(async ({ input }) => uploads.follow(input.uploadId)),
    fillUpload: files.fillUpload.handler(({ input: { uploadId, from, sizeBytes }, signal }) =>
      fill(uploadId, sizeBytes, bytesOf(fileAt(from), sizeBytes), signal),
    ),
    fillFromGrant: files.fillFromGrant.handler(({ input: { uploadId, ...file }, signal }) =>
      fill(uploadId, file.sizeBytes, fileGrants.read(file), signal),
    ),
    grantedFolder: files.grantedFolder.handler(({ input }) => fileGrants.list(input.grantId)),
    compare: files.compare.handler(({ input: { from, to, ...facts }, signal }) =>
      translated(
        noted(
          from,
          facts.sizeBytes,
          compareFiles({ from: fileAt(from), to: fileAt(to), facts, clock, signal: lifeOf(signal) }),
        ),
      ),
    ),
    cancelUpload: files.cancelUpload.handler(({ input }) => uploads.cancel(input.uploadId, input.keeps)),
    unfinished: files.unfinished.handler(({ input: { accountId, holder } }) => of(accountId, holder).unfinished()),
    discardUpload: files.discardUpload.handler(({ input: { accountId, holder, path } }) =>
      of(accountId, holder).discard(path),
    ),
  };
}
