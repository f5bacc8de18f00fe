/** The procedures about templates, volumes with their files, and registry credentials, with what uses each of them. */
import { AppError, toAppError } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { fileContract, ResourcesNow, ResourceUse, resourceContract } from '#contract/resourceBridge.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { FilesApi } from '../compute/files.ts';
import type { ComputeApi, Directory } from '../directory.ts';
import type { Uploads } from '../uploads.ts';

/** Everything of an account; what its Pods use is left open where it cannot be asked. */
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

export function bindFiles(
  files: ImplementerInternalWithMiddlewares<typeof fileContract, object, object>,
  { directory, uploads }: { directory: Directory; uploads: Uploads },
) {
  function of(accountId: string): FilesApi {
    const found = directory.compute(accountId).files;
    if (found !== null) return found;
    throw new AppError(
      'NOT_FOUND',
      `"${directory.get(accountId).name}" has no access to files: its volumes are reached from a Pod that has them.`,
    );
  }
  return {
    list: files.list.handler(({ input }) => of(input.accountId).list(input.volumeId, input.path)),
    makeFolder: files.makeFolder.handler(({ input }) => of(input.accountId).makeFolder(input.volumeId, input.path)),
    move: files.move.handler(({ input }) => of(input.accountId).move(input.volumeId, input.path, input.to)),
    remove: files.remove.handler(({ input }) => of(input.accountId).remove(input.volumeId, input.path)),
    read: files.read.handler(async ({ input: { accountId, volumeId, path, from } }) => ({
      bytes: new Blob([Buffer.from(await of(accountId).read(volumeId, path, from, limits.page.pieceBytes))]),
    })),
    beginUpload: files.beginUpload.handler(({ input: { accountId, volumeId, path, sizeBytes, replaces } }) => {
      const api = of(accountId);
      return { uploadId: uploads.begin(sizeBytes, (file) => api.write(volumeId, path, { ...file, replaces })) };
    }),
    putPiece: files.putPiece.handler(async ({ input: { uploadId, from, bytes } }) =>
      uploads.put(uploadId, from, new Uint8Array(await bytes.arrayBuffer())),
    ),
    endUpload: files.endUpload.handler(({ input }) => uploads.end(input.uploadId)),
    cancelUpload: files.cancelUpload.handler(({ input }) => uploads.cancel(input.uploadId)),
  };
}
