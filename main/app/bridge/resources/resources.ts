/** The procedures about templates, volumes with their files, and registry credentials, with the uses of each. */
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { FileHolder } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import type { fileContract, ResourcesNow, ResourceUse, resourceContract } from '#contract/bridge/resource.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { FilesApi } from '../../compute/files.ts';
import type { ComputeApi, Directory } from '../../services/directory.ts';
import type { PodFiles, PodFolder } from '../../terminals/files/podFiles.ts';
import { searchFiles } from '../../services/fileSearch.ts';
import type { HomeFiles } from '../../services/folders/homeFiles.ts';
import type { Transfers } from '../../services/transfers.ts';
import type { Uploads } from '../../services/uploads.ts';

/** All resources of an account. If its Pods cannot be read, their uses are missing and `podsProblem` says why. */
export async function resourcesNow({ management, files, pods: podsApi }: ComputeApi): Promise<ResourcesNow> {
  const [templates, volumes, auths, endpoints, folders, pods] = await Promise.all([
    management.templates(),
    management.volumes(),
    management.registryAuths(),
    management.endpoints(),
    files ? files.folders() : new Map<string, string>(),
    podsApi.list().catch((thrown: unknown) => toAppError(thrown).message),
  ]);
  const podList = typeof pods === 'string' ? [] : pods;
  const uses = (kind: ResourceUse['kind'], list: readonly { id: string; name: string }[]): ResourceUse[] =>
    list.map(({ id, name }) => ({ kind, id, name }));

  return {
    templates: templates.map((template) => ({
      ...template,
      usedBy: [
        ...uses(
          'endpoint',
          endpoints.filter(({ templateId }) => templateId === template.id),
        ),
        ...uses(
          'pod',
          podList.filter(({ templateId }) => templateId === template.id),
        ),
      ],
    })),
    volumes: volumes.map((volume) => ({
      ...volume,
      folder: folders.get(volume.id) ?? null,
      usedBy: [
        ...uses(
          'endpoint',
          endpoints.filter(({ networkVolumeIds }) => networkVolumeIds.includes(volume.id)),
        ),
        ...uses(
          'pod',
          podList.filter(({ networkVolumeId }) => networkVolumeId === volume.id),
        ),
      ],
    })),
    registryAuths: auths.map((auth) => ({
      ...auth,
      usedBy: [
        ...uses(
          'template',
          templates.filter(({ containerRegistryAuthId }) => containerRegistryAuthId === auth.id),
        ),
        ...uses(
          'pod',
          podList.filter(({ containerRegistryAuthId }) => containerRegistryAuthId === auth.id),
        ),
      ],
    })),
    podsProblem: typeof pods === 'string' ? pods : null,
    hasFiles: files !== null,
  };
}

export function bindResources(
  resources: ImplementerInternalWithMiddlewares<typeof resourceContract, object, object>,
  directory: Directory,
) {
  const of = (accountId: string) => directory.compute(accountId).management;
  return {
    now: resources.now.handler(({ input }) => resourcesNow(directory.compute(input.accountId))),
    createTemplate: resources.createTemplate.handler(async ({ input: { accountId, template } }) => ({
      id: (await of(accountId).createTemplate(template)).id,
    })),
    updateTemplate: resources.updateTemplate.handler(async ({ input: { accountId, id, change } }) => {
      await of(accountId).updateTemplate(id, change);
    }),
    removeTemplate: resources.removeTemplate.handler(({ input }) => of(input.accountId).deleteTemplate(input.id)),
    createVolume: resources.createVolume.handler(async ({ input: { accountId, volume } }) => ({
      id: (await of(accountId).createVolume(volume)).id,
    })),
    updateVolume: resources.updateVolume.handler(async ({ input: { accountId, id, change } }) => {
      await of(accountId).updateVolume(id, change);
    }),
    removeVolume: resources.removeVolume.handler(({ input }) => of(input.accountId).deleteVolume(input.id)),
    createRegistryAuth: resources.createRegistryAuth.handler(async ({ input: { accountId, credentials } }) => ({
      id: (await of(accountId).createRegistryAuth(credentials)).id,
    })),
    removeRegistryAuth: resources.removeRegistryAuth.handler(({ input }) =>
      of(input.accountId).deleteRegistryAuth(input.id),
    ),
  };
}

/** The operations that volumes, Pods and this computer have. */
type Folder = PodFolder;

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
});

/** An upload to this computer is not continued, either. */
const homeFolder = ({ place: _place, ...home }: HomeFiles): Folder => ({
  ...home,
  unfinished: () => Promise.resolve([]),
  discard: () => Promise.resolve(),
});

interface FileBinding {
  readonly directory: Directory;
  readonly uploads: Uploads;
  readonly pods: Pick<PodFiles, 'of'>;
  readonly home: HomeFiles;
  readonly onRead: Transfers['noteRead'];
}

export function bindFiles(
  files: ImplementerInternalWithMiddlewares<typeof fileContract, object, object>,
  { directory, uploads, pods, home, onRead }: FileBinding,
) {
  function of(accountId: string, holder: FileHolder): Folder {
    if (holder.in === 'computer') return homeFolder(home);
    if (holder.in === 'pod') return pods.of(accountId, holder.id);
    const engineFiles = directory.compute(accountId).files;
    if (engineFiles !== null) return engineFolder(engineFiles, holder);
    throw new AppError(
      'NOT_FOUND',
      `"${directory.get(accountId).name}" has no access to files: its volumes are reached from a Pod that has them.`,
    );
  }
  return {
    thisComputer: files.thisComputer.handler(() => home.place),
    list: files.list.handler(({ input: { accountId, holder, path } }) => of(accountId, holder).list(path)),
    search: files.search.handler(({ input: { accountId, holder, path, text }, signal }) =>
      searchFiles((folder) => of(accountId, holder).list(folder), { path, text, signal: signal ?? null }),
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
    cancelUpload: files.cancelUpload.handler(({ input }) => uploads.cancel(input.uploadId, input.keeps)),
    unfinished: files.unfinished.handler(({ input: { accountId, holder } }) => of(accountId, holder).unfinished()),
    discardUpload: files.discardUpload.handler(({ input: { accountId, holder, path } }) =>
      of(accountId, holder).discard(path),
    ),
  };
}
