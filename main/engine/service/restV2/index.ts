/** REST v2, as the cloud speaks it now: its operations, made into routes. */
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { Account } from '../../domain/access/owner.ts';
import { validatorCompiler, type Api } from '../access/api.ts';
import { operation } from '../openapi/operation.ts';
import { accountOperations } from './account.ts';
import { billingOperations, type BillingParts } from './billing.ts';
import { catalogOperations, type CatalogParts } from './catalog.ts';
import { clusterOperations } from './clusters.ts';
import { endpointOperations, type EndpointParts } from './endpoints.ts';
import { routePath, type RestV2Operation } from './protocol/operation.ts';
import { podOperations, type PodParts } from './pods.ts';
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
  WorkerParts & { account: Account };

const paramsSchema = z.record(z.string(), z.string());

function registerOperation(api: Api, { method, path, run, refusals = [], ...description }: RestV2Operation): void {
  const { query = {}, body, answers } = description;
  const isChecked = body !== undefined || description.query !== undefined;
  const success =
    Object.keys(answers)
      .map(Number)
      .find((status) => status !== 204) ?? 204;
  api.route({
    method: method.toUpperCase(),
    url: routePath(path),
    ...operation({
      ...description,
      params: paramsSchema,
      ...(description.query && { querystring: querySchema(query) }),
      refusals: [...refusals, ...(isChecked ? (['UNPROCESSABLE'] as const) : [])],
    }),
    validatorCompiler: validatorCompiler(checked),
    async handler(request, reply) {
      const result = await run({
        params: request.params,
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
      return result === undefined ? reply.code(204).send() : reply.code(success).send(result);
    },
  });
}

/** Adds the routes of REST v2. */
export function registerRestV2(api: Api, parts: RestV2Parts): void {
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
  ];
  for (const each of operations) registerOperation(api, each);
}

/** The base address with the host name of the request: that name reaches the engine. */
function originOf({ headers }: IncomingMessage): string {
  return `http://${headers.host ?? 'localhost'}`;
}
