/** REST v2, as the cloud speaks it now: one table of operations, made into routes and into the document of them. */
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { Account } from '../../domain/access/owner.ts';
import type { DocumentTable, Operation } from '../openapi/document.ts';
import type { Api } from '../access/api.ts';
import { needs } from '../access/routeAccess.ts';
import { accountOperations } from './account.ts';
import { REST_V2_BASE } from '../http/restV2Address.ts';
import { billingOperations, type BillingParts } from './billing.ts';
import { catalogOperations, type CatalogParts } from './catalog.ts';
import { clusterOperations } from './clusters.ts';
import { endpointOperations, type EndpointParts } from './endpoints.ts';
import { operation, routePath, type RestV2Operation } from './protocol/operation.ts';
import { podOperations, type PodParts } from './pods.ts';
import { problemSchema, PROBLEM_TYPE } from '../http/errorFormats/problem.ts';
import { registryOperations, type RegistryParts } from './registries.ts';
import { checked, querySchema } from './protocol/validate.ts';
import { templateOperations, type TemplateParts } from './templates.ts';
import { volumeOperations, type VolumeParts } from './volumes.ts';
import { workerOperations, type WorkerParts } from './workers.ts';

export type RestV2Parts = BillingParts &
  CatalogParts &
  EndpointParts &
  PodParts &
  RegistryParts &
  TemplateParts &
  VolumeParts &
  WorkerParts & {
    account: Account;
    /** The document of all this, as JSON. */
    document(): string;
  };

export interface RestV2 {
  /** What the document tells. */
  table(version: string): DocumentTable<string>;
  register(api: Api): void;
}

const groups = {
  Account: 'The SSH keys that Pods are given.',
  Pods: 'Containers of your own.',
  Clusters: 'Several machines that work as one: there are none here.',
  Serverless: 'Endpoints: queues and load balancers, with workers behind them.',
  Templates: 'What Pods and workers are made of.',
  'Network Volumes': 'Folders of this machine that workers and Pods see.',
  Registries: 'Credentials for private images. What is secret is never told.',
  Catalog: 'What there is on this machine to run on.',
  Billing: 'What the use of this machine cost, by the prices that its person set.',
  docs: 'This description.',
};

const documentAnswer = { name: 'Document', schema: z.looseObject({ openapi: z.string() }) };

function documented({ method, path, query, body, answers, refusals = [], ...rest }: RestV2Operation): Operation {
  const isChecked = body !== undefined || query !== undefined;
  return {
    ...rest,
    methods: [method],
    path: REST_V2_BASE + path,
    ...(query && { query }),
    ...(body && { body: { shape: body.name, required: true } }),
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, { shape, ...answer }]) => [
        status,
        { ...answer, shape: shape && shape.name },
      ]),
    ),
    refusals: [...refusals, ...(isChecked ? (['UNPROCESSABLE'] as const) : [])],
  };
}

export function createRestV2(parts: RestV2Parts): RestV2 {
  const operations: readonly RestV2Operation[] = [
    ...podOperations(parts),
    ...endpointOperations(parts),
    ...workerOperations(parts),
    ...templateOperations(parts),
    ...volumeOperations(parts),
    ...registryOperations(parts),
    ...billingOperations(parts),
    ...catalogOperations(parts),
    ...accountOperations(parts.account),
    ...clusterOperations(),
    operation({
      method: 'get',
      path: '/openapi.json',
      id: 'getOpenAPI',
      group: 'docs',
      need: null,
      summary: 'This document.',
      answers: { 200: { words: 'The document.', shape: documentAnswer } },
      run: () => JSON.parse(parts.document()) as object,
    }),
  ];

  function register(api: Api): void {
    for (const { method, path, need, query, body, answers, run } of operations) {
      const made =
        Object.keys(answers)
          .map(Number)
          .find((status) => status !== 204) ?? 204;
      api.route({
        method: method.toUpperCase(),
        url: routePath(path),
        ...needs(need),
        schema: { ...(query && { querystring: querySchema(query) }), ...(body && { body: body.schema }) },
        validatorCompiler:
          ({ schema }) =>
          (value) => {
            try {
              return { value: checked(schema as z.ZodType, value) };
            } catch (error) {
              return { error: error as Error };
            }
          },
        async handler(request, reply) {
          const result = await run({
            params: request.params as Record<string, string>,
            query: request.query,
            body: request.body,
            headers: request.headers,
            origin: originOf(request.raw),
          });
          if (typeof result === 'function') {
            reply.hijack();
            result(reply.raw);
            return reply;
          }
          return result === undefined ? reply.code(204).send() : reply.code(made).send(result);
        },
      });
    }
  }

  return {
    register,
    table: (version) => ({
      title: 'Hangar REST v2',
      version,
      description: `REST v2 of the cloud that this machine stands in for, with ${REST_V2_BASE} as its base address: /v2 are the jobs. What has no meaning on one machine is refused with a sentence.`,
      groups,
      parameters: { id: 'Its id.', workerId: 'Id of the worker.' },
      requests: Object.fromEntries(operations.flatMap(({ body }) => (body ? [[body.name, body.schema]] : []))),
      answers: Object.fromEntries(
        operations.flatMap(({ answers }) =>
          Object.values(answers).flatMap(({ shape }) => (shape ? [[shape.name, shape.schema]] : [])),
        ),
      ),
      operations: operations.map(documented),
      errors: { type: PROBLEM_TYPE, schema: problemSchema },
    }),
  };
}

/** As the caller has named this engine: that name reaches it, whatever the engine calls itself. */
function originOf({ headers }: IncomingMessage): string {
  return `http://${headers.host ?? 'localhost'}`;
}
