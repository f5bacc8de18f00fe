/** Network volumes in REST v2. */
import * as z from 'zod';
import { volumeCreateSchema, volumeUpdateSchema, type NetworkVolume } from '#contract/api/resources.ts';
import type { Management } from '../../domain/resources/resourceService.ts';
import type { Volumes } from '../../domain/resources/volumes.ts';
import { operation, unprocessable, type RestV2Operation } from './protocol/operation.ts';
import type { Named } from '../openapi/operation.ts';
import { listAnswer, pageOf, pageQuery } from './protocol/pages.ts';

export interface VolumeParts {
  volumes: Volumes;
  management: Pick<Management, 'deleteVolume'>;
}

const size = volumeCreateSchema.shape.size.min(10).meta({ description: 'GB.' });
const createRequest = {
  name: 'CreateNetworkVolumeRequest',
  schema: z.strictObject({
    dataCenter: volumeCreateSchema.shape.dataCenterId,
    name: volumeCreateSchema.shape.name,
    size,
    type: z
      .enum(['STANDARD', 'HIGH_PERFORMANCE'])
      .optional()
      .meta({ description: 'Makes no difference: it is a folder of this machine.' }),
  }),
} satisfies Named;
const updateRequest = {
  name: 'UpdateNetworkVolumeRequest',
  schema: z.strictObject({ name: volumeUpdateSchema.shape.name, size: size.optional() }),
} satisfies Named;

const volumeAnswer = {
  name: 'NetworkVolume',
  schema: z.object({
    id: z.string(),
    name: z.string(),
    size: z.int(),
    dataCenter: z.string(),
    type: z.literal('STANDARD'),
  }),
} satisfies Named;

const answerOf = ({ dataCenterId, ...volume }: NetworkVolume): z.output<typeof volumeAnswer.schema> => ({
  ...volume,
  dataCenter: dataCenterId,
  type: 'STANDARD',
});

export function volumeOperations({ volumes, management }: VolumeParts): RestV2Operation[] {
  const group = 'Network Volumes';
  const one = { 200: { words: 'The network volume.', shape: volumeAnswer } };
  return [
    operation({
      method: 'get',
      path: '/network-volumes',
      id: 'listNetworkVolumes',
      group,
      need: 'read',
      summary: 'Lists network volumes.',
      query: pageQuery,
      answers: { 200: listAnswer('ListNetworkVolumesResponse', 'networkVolumes', volumeAnswer) },
      run({ query }) {
        const { page, pagination } = pageOf(volumes.list(), query);
        return { networkVolumes: page.map(answerOf), pagination };
      },
    }),
    operation({
      method: 'post',
      path: '/network-volumes',
      id: 'createNetworkVolume',
      group,
      need: 'all',
      summary: 'Makes a network volume.',
      body: createRequest,
      answers: { 201: one[200] },
      run: ({ body: { name, size: gb, dataCenter: dataCenterId } }) =>
        answerOf(volumes.create({ name, size: gb, dataCenterId })),
    }),
    operation({
      method: 'get',
      path: '/network-volumes/{id}',
      id: 'getNetworkVolume',
      group,
      need: 'read',
      summary: 'Tells of one network volume.',
      answers: one,
      run: ({ params }) => answerOf(volumes.get(params.id)),
    }),
    operation({
      method: 'patch',
      path: '/network-volumes/{id}',
      id: 'updateNetworkVolume',
      group,
      need: 'all',
      summary: 'Changes its name, or makes it larger.',
      body: updateRequest,
      answers: one,
      run({ params, body }) {
        if (Object.keys(body).length === 0) throw unprocessable('name or size: nothing is said of either');
        return answerOf(volumes.update(params.id, body));
      },
    }),
    operation({
      method: 'delete',
      path: '/network-volumes/{id}',
      id: 'deleteNetworkVolume',
      group,
      need: 'all',
      summary: 'Deletes a network volume, with all that is in it. One that is used is a 400 that names who uses it.',
      answers: { 204: { words: 'It is gone.', shape: null } },
      refusals: ['BAD_REQUEST'],
      async run({ params }) {
        await management.deleteVolume(params.id);
        return undefined;
      },
    }),
  ];
}
