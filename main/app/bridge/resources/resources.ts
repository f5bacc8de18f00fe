/** The procedures about templates, volumes and registry credentials, with the uses of each. */
import { toAppError } from '#contract/core/errors.ts';
import type { ResourcesNow, ResourceUse, resourceContract } from '#contract/bridge/resource.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { ComputeApi, Directory } from '../../services/directory.ts';

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
