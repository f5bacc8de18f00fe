/** The management API as a table: what /v1/openapi.json and /v1/docs tell of it. */
import * as z from 'zod';
import { endpointAnswerSchema, templateAnswerSchema } from '#contract/api/resourceAnswers.ts';
import {
  endpointCreateSchema,
  endpointUpdateSchema,
  registryAuthCreateSchema,
  registryAuthSchema,
  templateCreateSchema,
  templateDefaults,
  templateUpdateSchema,
  volumeCreateSchema,
  volumeSchema,
  volumeUpdateSchema,
} from '#contract/api/resources.ts';
import { cloudDataCenters } from '#contract/core/cloudNames.ts';
import { endpointDefaults } from '../../../domain/resources/endpoints.ts';
import { NOTICE_HEADER } from '../../http/compat.ts';
import type { DocumentTable, Operation, QueryParameter } from '../document.ts';
import { billingAnswers, billingOperations } from './billing.ts';
import { podAnswers, podDefaults, podOperations, podRequests } from './pods.ts';

const requests = {
  ...podRequests,
  TemplateCreateInput: templateCreateSchema,
  TemplateUpdateInput: templateUpdateSchema,
  EndpointCreateInput: endpointCreateSchema,
  EndpointUpdateInput: endpointUpdateSchema,
  NetworkVolumeCreateInput: volumeCreateSchema,
  NetworkVolumeUpdateInput: volumeUpdateSchema,
  ContainerRegistryAuthCreateInput: registryAuthCreateSchema,
};
const answers = {
  ...billingAnswers,
  ...podAnswers,
  Template: templateAnswerSchema,
  Endpoint: endpointAnswerSchema,
  NetworkVolume: volumeSchema,
  ContainerRegistryAuth: registryAuthSchema,
  Document: z.looseObject({ openapi: z.string() }),
  Page: z.string(),
};
type Name = keyof typeof requests | keyof typeof answers;

const flag = (words: string): QueryParameter => ({ schema: z.boolean().default(false), words });

const templateQuery = {
  includeEndpointBoundTemplates: flag('Templates that endpoints use, too.'),
  includePublicTemplates: flag('Public templates of others, too; there are none here.'),
  includeRunpodTemplates: flag('Templates of the cloud, too; there are none here.'),
};
const endpointQuery = {
  includeTemplate: flag('With its template.'),
  includeWorkers: flag('With its workers, as the Pods that they are in the cloud.'),
};

interface Resource {
  readonly path: string;
  readonly parameter: string;
  readonly group: string;
  /** One of them, and several, in words. */
  readonly one: string;
  readonly several: string;
  /** Their names in ids of operations. */
  readonly ids: readonly [one: string, several: string];
  readonly shape: Name;
  readonly create: Name;
  /** Null where it cannot be changed. */
  readonly update: Name | null;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly onDelete: string;
  /** Headers of ours in the answers that are about one. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What can be done with every resource in the same way. */
function operationsOf(resource: Resource): Operation<Name>[] {
  const { path, parameter, group, one, several, ids, shape, create, update, onDelete } = resource;
  const named = `${path}/{${parameter}}`;
  const oneAnswer = { 200: { words: `The ${one}.`, shape, ...(resource.headers && { headers: resource.headers }) } };
  const query = resource.query ? { query: resource.query } : {};
  const wrong = resource.query ? (['BAD_REQUEST'] as const) : [];
  return [
    {
      methods: ['get'],
      path,
      id: `List${ids[1]}`,
      group,
      need: 'read',
      ...query,
      summary: `Lists ${several}.`,
      answers: { 200: { words: `All ${several}.`, shape: { listOf: shape } } },
      refusals: wrong,
    },
    {
      methods: ['post'],
      path,
      id: `Create${ids[0]}`,
      group,
      need: 'all',
      summary: `Makes ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}.`,
      body: { shape: create, required: true },
      answers: oneAnswer,
      refusals: [],
    },
    {
      methods: ['get'],
      path: named,
      id: `Get${ids[0]}`,
      group,
      need: 'read',
      ...query,
      summary: `Tells of one ${one}.`,
      answers: oneAnswer,
      refusals: wrong,
    },
    ...(update === null
      ? []
      : ([
          {
            methods: ['patch'],
            path: named,
            id: `Update${ids[0]}`,
            group,
            need: 'all',
            summary: 'Changes the fields that are named.',
            body: { shape: update, required: true },
            answers: oneAnswer,
            refusals: [],
          },
          {
            methods: ['post'],
            path: `${named}/update`,
            id: `Update${ids[0]}ByUpdate`,
            group,
            need: 'all',
            summary: 'The same, for clients that cannot send PATCH.',
            body: { shape: update, required: true },
            answers: oneAnswer,
            refusals: [],
          },
        ] satisfies Operation<Name>[])),
    {
      methods: ['delete'],
      path: named,
      id: `Delete${ids[0]}`,
      group,
      need: 'all',
      summary: onDelete,
      answers: { 204: { words: 'It is gone.', shape: null } },
      refusals: ['BAD_REQUEST'],
    },
  ];
}

const operations: Operation<Name>[] = [
  ...podOperations,
  ...operationsOf({
    path: '/v1/templates',
    parameter: 'templateId',
    group: 'templates',
    one: 'template',
    several: 'templates',
    ids: ['Template', 'Templates'],
    query: templateQuery,
    shape: 'Template',
    create: 'TemplateCreateInput',
    update: 'TemplateUpdateInput',
    onDelete: 'Deletes a template. One that is used is a 400 that names who uses it.',
  }),
  ...operationsOf({
    path: '/v1/endpoints',
    parameter: 'endpointId',
    group: 'endpoints',
    one: 'endpoint',
    several: 'endpoints',
    ids: ['Endpoint', 'Endpoints'],
    query: endpointQuery,
    shape: 'Endpoint',
    create: 'EndpointCreateInput',
    update: 'EndpointUpdateInput',
    onDelete: 'Deletes an endpoint, with its jobs.',
    headers: { [NOTICE_HEADER]: 'Why it cannot run here, or what it gets in place of what it asks for.' },
  }),
  ...operationsOf({
    path: '/v1/networkvolumes',
    parameter: 'networkVolumeId',
    group: 'network volumes',
    one: 'network volume',
    several: 'network volumes',
    ids: ['NetworkVolume', 'NetworkVolumes'],
    shape: 'NetworkVolume',
    create: 'NetworkVolumeCreateInput',
    update: 'NetworkVolumeUpdateInput',
    onDelete: 'Deletes a network volume, with all that is in it. One that is used is a 400 that names who uses it.',
  }),
  ...operationsOf({
    path: '/v1/containerregistryauth',
    parameter: 'containerRegistryAuthId',
    group: 'container registry auths',
    one: 'container registry auth',
    several: 'container registry auths',
    ids: ['ContainerRegistryAuth', 'ContainerRegistryAuths'],
    shape: 'ContainerRegistryAuth',
    create: 'ContainerRegistryAuthCreateInput',
    update: null,
    onDelete: 'Deletes a container registry auth. One that is used is a 400 that names who uses it.',
  }),
  ...billingOperations,
  {
    methods: ['get'],
    path: '/v1/openapi.json',
    id: 'GetOpenAPI',
    group: 'docs',
    need: null,
    summary: 'This document.',
    answers: { 200: { words: 'The document.', shape: 'Document' } },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/v1/docs',
    id: 'GetDocs',
    group: 'docs',
    need: null,
    summary: 'This document as a page to read.',
    answers: { 200: { words: 'The page.', shape: 'Page', type: 'text/html' } },
    refusals: [],
  },
];

// That of the settings holds, which a person may change.
const { executionTimeoutMs: _, ...endpointsOwn } = { ...endpointDefaults, dataCenterIds: cloudDataCenters };

export const managementDocument = (version: string): DocumentTable<Name> => ({
  title: 'Hangar management API',
  version,
  description:
    'What jobs run on: Pods, templates, endpoints, network volumes and credentials for private images, in the words of the cloud that this machine stands in for. Fields that are not known are ignored.',
  groups: {
    pods: 'Containers of your own, with a shell, ports and GPUs.',
    templates: 'What a worker or a Pod is made of.',
    endpoints: 'Queues and load balancers, with workers behind them.',
    'network volumes': 'Folders of this machine that workers and Pods see.',
    'container registry auths': 'Credentials for private images. What is secret is never told.',
    billing: 'What the use of this machine cost, by the prices that its person set.',
    docs: 'This description.',
  },
  parameters: {
    podId: 'Id of the Pod.',
    templateId: 'Id of the template.',
    endpointId: 'Id of the endpoint.',
    networkVolumeId: 'Id of the network volume.',
    containerRegistryAuthId: 'Id of the container registry auth.',
  },
  requests,
  answers,
  defaults: {
    PodCreateInput: podDefaults,
    TemplateCreateInput: templateDefaults,
    EndpointCreateInput: endpointsOwn,
    Pod: { env: {} },
    Template: { env: {} },
    Endpoint: { env: {}, dataCenterIds: cloudDataCenters },
  },
  operations,
});
