/** Network volumes and container registry auths under /v1, and the folders of volumes on this machine. */
import * as z from 'zod';
import {
  localVolumeSchema,
  registryAuthCreateSchema,
  registryAuthSchema,
  volumeCreateSchema,
  volumeSchema,
  volumeUpdateSchema,
} from '#contract/api/resources.ts';
import type { Management } from '../../domain/resources/resourceService.ts';
import type { RegistryAuths } from '../../domain/resources/registryAuths.ts';
import type { Volumes } from '../../domain/resources/volumes.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';
import { describeResource } from './descriptions.ts';

export interface VolumeRoutesOptions {
  management: Management;
  volumes: Volumes;
  registryAuths: RegistryAuths;
}

const volumeParams = z.object({ networkVolumeId: z.string() });
const authParams = z.object({ containerRegistryAuthId: z.string() });

const volumeOperations = describeResource({
  group: 'network volumes',
  nouns: ['network volume', 'network volumes'],
  ids: ['NetworkVolume', 'NetworkVolumes'],
  shape: named('NetworkVolume', volumeSchema),
});
const volumeInput = named('NetworkVolumeCreateInput', volumeCreateSchema);
const volumeChange = named('NetworkVolumeUpdateInput', volumeUpdateSchema);

const authOperations = describeResource({
  group: 'container registry auths',
  nouns: ['container registry auth', 'container registry auths'],
  ids: ['ContainerRegistryAuth', 'ContainerRegistryAuths'],
  shape: named('ContainerRegistryAuth', registryAuthSchema),
});
const authInput = named('ContainerRegistryAuthCreateInput', registryAuthCreateSchema);

function registerVolumes(api: Api, { management, volumes }: VolumeRoutesOptions): void {
  const { list, create, get, updates, remove } = volumeOperations;
  api.get('/v1/networkvolumes', operation(list), async () => volumes.list());
  api.post('/v1/networkvolumes', operation({ ...create, body: volumeInput }), async ({ body }) => volumes.create(body));
  api.get('/v1/networkvolumes/:networkVolumeId', operation({ ...get, params: volumeParams }), async ({ params }) =>
    volumes.get(params.networkVolumeId),
  );
  for (const { method, tail, description } of updates) {
    api.route({
      method,
      url: `/v1/networkvolumes/:networkVolumeId${tail}`,
      ...operation({ ...description, params: volumeParams, body: volumeChange }),
      handler: async ({ params, body }) => volumes.update(params.networkVolumeId, body),
    });
  }
  api.delete(
    '/v1/networkvolumes/:networkVolumeId',
    operation({
      ...remove,
      summary: 'Deletes a network volume, with all that is in it. One that is used is a 400 that names who uses it.',
      params: volumeParams,
    }),
    async ({ params }, reply) => {
      await management.deleteVolume(params.networkVolumeId);
      return reply.code(204).send();
    },
  );
  api.get(
    '/local/v1/volumes',
    operation({
      id: 'volumes',
      group: 'engine',
      need: 'read',
      summary: 'Lists the network volumes with their folders on this machine.',
      answers: { 200: { words: 'The volumes.', shape: { listOf: named('Volume', localVolumeSchema) } } },
    }),
    async () => volumes.list().map((volume) => ({ ...volume, folder: volumes.folderOf(volume.id) })),
  );
}

function registerRegistryAuths(api: Api, { management, registryAuths }: VolumeRoutesOptions): void {
  const { list, create, get, remove } = authOperations;
  api.get('/v1/containerregistryauth', operation(list), async () => registryAuths.list());
  api.post('/v1/containerregistryauth', operation({ ...create, body: authInput }), async ({ body }) =>
    registryAuths.create(body),
  );
  api.get(
    '/v1/containerregistryauth/:containerRegistryAuthId',
    operation({ ...get, params: authParams }),
    async ({ params }) => registryAuths.get(params.containerRegistryAuthId),
  );
  api.delete(
    '/v1/containerregistryauth/:containerRegistryAuthId',
    operation({
      ...remove,
      summary: 'Deletes a container registry auth. One that is used is a 400 that names who uses it.',
      params: authParams,
    }),
    async ({ params }, reply) => {
      management.deleteRegistryAuth(params.containerRegistryAuthId);
      return reply.code(204).send();
    },
  );
}

export function registerVolumeRoutes(api: Api, options: VolumeRoutesOptions): void {
  registerVolumes(api, options);
  registerRegistryAuths(api, options);
}
