/** Credentials for private images in REST v2. */
import * as z from 'zod';
import { registryAuthCreateSchema } from '#contract/api/resources.ts';
import type { Management } from '../../domain/resources/resourceService.ts';
import type { RegistryAuths } from '../../domain/resources/registryAuths.ts';
import { operation, refused, type RestV2Operation } from './protocol/operation.ts';
import type { Named } from '../openapi/operation.ts';
import { listAnswer, pageOf, pageQuery } from './protocol/pages.ts';

export interface RegistryParts {
  registryAuths: RegistryAuths;
  management: Pick<Management, 'deleteRegistryAuth'>;
}

const createRequest = {
  name: 'CreateRegistryRequest',
  schema: z.strictObject(registryAuthCreateSchema.shape),
} satisfies Named;
const registryAnswer = { name: 'Registry', schema: z.object({ id: z.string(), name: z.string() }) } satisfies Named;

const NO_DELEGATIONS =
  'A delegation lets the cloud fetch images of an AWS account. This engine fetches images by itself: make a registry with the credentials.';

export function registryOperations({ registryAuths, management }: RegistryParts): RestV2Operation[] {
  const group = 'Registries';
  const one = { words: 'Its name; what is secret is never told.', shape: registryAnswer };
  const delegations = '/registries/delegations';
  return [
    operation({
      method: 'get',
      path: '/registries',
      id: 'listRegistries',
      group,
      need: 'read',
      summary: 'Lists credentials for private images.',
      query: pageQuery,
      answers: { 200: listAnswer('ListRegistriesResponse', 'registries', registryAnswer) },
      run({ query }) {
        const { page, pagination } = pageOf(registryAuths.list(), query);
        return { registries: page, pagination };
      },
    }),
    operation({
      method: 'post',
      path: '/registries',
      id: 'createRegistry',
      group,
      need: 'all',
      summary: 'Makes credentials for private images.',
      body: createRequest,
      answers: { 201: one },
      refusals: ['BAD_REQUEST'],
      run: ({ body }) => registryAuths.create(body),
    }),
    operation({
      method: 'get',
      path: '/registries/{id}',
      id: 'getRegistry',
      group,
      need: 'read',
      summary: 'Tells of one of them.',
      answers: { 200: one },
      run: ({ params }) => registryAuths.get(params.id),
    }),
    operation({
      method: 'delete',
      path: '/registries/{id}',
      id: 'deleteRegistry',
      group,
      need: 'all',
      summary: 'Deletes credentials. Those that are used are a 400 that names who uses them.',
      answers: { 204: { words: 'They are gone.', shape: null } },
      refusals: ['BAD_REQUEST'],
      run({ params }) {
        const { id } = registryAuths.get(params.id);
        management.deleteRegistryAuth(id);
        return undefined;
      },
    }),
    operation({
      method: 'get',
      path: delegations,
      id: 'listDelegations',
      group,
      need: 'read',
      summary: 'Lists delegations of AWS registries; there are none here.',
      answers: {
        200: {
          words: 'An empty list.',
          shape: { name: 'ListDelegationsResponse', schema: z.object({ delegations: z.array(z.never()) }) },
        },
      },
      run: () => ({ delegations: [] }),
    }),
    refused({ method: 'post', path: delegations, id: 'createDelegation', group, need: 'all' }, NO_DELEGATIONS),
    refused(
      { method: 'delete', path: `${delegations}/{id}`, id: 'revokeDelegation', group, need: 'all' },
      NO_DELEGATIONS,
    ),
  ];
}
