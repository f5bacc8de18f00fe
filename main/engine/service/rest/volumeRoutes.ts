/** Network volumes and container registry auths under /v1, and where on this machine a volume lies. */
import * as z from 'zod';
import { registryAuthCreateSchema, volumeCreateSchema, volumeUpdateSchema } from '#contract/api/resources.ts';
import type { Management } from '../../domain/resources/resourceService.ts';
import type { RegistryAuths } from '../../domain/resources/registryAuths.ts';
import type { Volumes } from '../../domain/resources/volumes.ts';
import type { RequiredScope } from '../http/auth.ts';
import { needs } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';

export interface VolumeRoutesOptions {
  management: Management;
  volumes: Volumes;
  registryAuths: RegistryAuths;
}

const volumeParams = z.object({ networkVolumeId: z.string() });
const authParams = z.object({ containerRegistryAuthId: z.string() });

export function registerVolumeRoutes(api: Api, options: VolumeRoutesOptions): void {
  const { management, volumes, registryAuths } = options;
  const withVolume = (need: RequiredScope) => ({ ...needs(need), schema: { params: volumeParams } });
  const withAuth = (need: RequiredScope) => ({ ...needs(need), schema: { params: authParams } });

  api.get('/v1/networkvolumes', needs('read'), async () => volumes.list());
  api.get('/v1/networkvolumes/:networkVolumeId', withVolume('read'), async ({ params }) =>
    volumes.get(params.networkVolumeId),
  );
  api.post('/v1/networkvolumes', { ...needs('all'), schema: { body: volumeCreateSchema } }, async ({ body }) =>
    volumes.create(body),
  );
  for (const [method, url] of [
    ['PATCH', '/v1/networkvolumes/:networkVolumeId'],
    ['POST', '/v1/networkvolumes/:networkVolumeId/update'],
  ] as const) {
    api.route({
      method,
      url,
      ...needs('all'),
      schema: { params: volumeParams, body: volumeUpdateSchema },
      handler: async ({ params, body }) => volumes.update(params.networkVolumeId, body),
    });
  }
  api.delete('/v1/networkvolumes/:networkVolumeId', withVolume('all'), async ({ params }, reply) => {
    await management.deleteVolume(params.networkVolumeId);
    return reply.code(204).send();
  });
  api.get('/local/v1/volumes', needs('read'), async () =>
    volumes.list().map((volume) => ({ ...volume, folder: volumes.folderOf(volume.id) })),
  );

  api.get('/v1/containerregistryauth', needs('read'), async () => registryAuths.list());
  api.get('/v1/containerregistryauth/:containerRegistryAuthId', withAuth('read'), async ({ params }) =>
    registryAuths.get(params.containerRegistryAuthId),
  );
  api.post(
    '/v1/containerregistryauth',
    { ...needs('all'), schema: { body: registryAuthCreateSchema } },
    async ({ body }) => registryAuths.create(body),
  );
  api.delete('/v1/containerregistryauth/:containerRegistryAuthId', withAuth('all'), async ({ params }, reply) => {
    management.deleteRegistryAuth(params.containerRegistryAuthId);
    return reply.code(204).send();
  });
}
