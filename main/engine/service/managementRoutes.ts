/** The management API under /v1: templates and endpoints. Volumes and registry auths stand in a file of their own. */
import * as z from 'zod';
import {
  endpointCreateSchema,
  endpointUpdateSchema,
  templateCreateSchema,
  templateUpdateSchema,
} from '#contract/resources.ts';
import type { ApiKeys } from '../domain/apiKeys.ts';
import type { Endpoints } from '../domain/endpoints.ts';
import type { Management } from '../domain/management.ts';
import type { Templates } from '../domain/templates.ts';
import { authorize, type Need } from './auth.ts';
import type { Api } from './server.ts';

export interface ManagementRoutesOptions {
  keys: ApiKeys;
  templates: Templates;
  endpoints: Endpoints;
  management: Management;
}

const idParams = z.object({ id: z.string() });

export function registerManagementRoutes(api: Api, options: ManagementRoutesOptions): void {
  const { keys, templates, endpoints, management } = options;
  const needs = (need: Need) => ({
    onRequest: async (request: { raw: Parameters<typeof authorize>[0] }) => {
      authorize(request.raw, keys, need, null);
    },
  });

  api.get('/v1/templates', needs('read'), async () => templates.list());
  api.get('/v1/templates/:id', { ...needs('read'), schema: { params: idParams } }, async ({ params }) =>
    templates.get(params.id),
  );
  api.post('/v1/templates', { ...needs('all'), schema: { body: templateCreateSchema } }, async ({ body }) =>
    templates.create(body),
  );
  // POST …/update is a synonym of PATCH, for clients that cannot send PATCH.
  for (const [method, url] of [
    ['PATCH', '/v1/templates/:id'],
    ['POST', '/v1/templates/:id/update'],
  ] as const) {
    api.route({
      method,
      url,
      ...needs('all'),
      schema: { params: idParams, body: templateUpdateSchema },
      handler: async ({ params, body }) => management.updateTemplate(params.id, body),
    });
  }
  api.delete('/v1/templates/:id', { ...needs('all'), schema: { params: idParams } }, async ({ params }, reply) => {
    management.deleteTemplate(params.id);
    return reply.code(204).send();
  });

  api.get('/v1/endpoints', needs('read'), async () => endpoints.list());
  api.get('/v1/endpoints/:id', { ...needs('read'), schema: { params: idParams } }, async ({ params }) =>
    endpoints.get(params.id),
  );
  api.post('/v1/endpoints', { ...needs('all'), schema: { body: endpointCreateSchema } }, async ({ body }) =>
    management.createEndpoint(body),
  );
  for (const [method, url] of [
    ['PATCH', '/v1/endpoints/:id'],
    ['POST', '/v1/endpoints/:id/update'],
  ] as const) {
    api.route({
      method,
      url,
      ...needs('all'),
      schema: { params: idParams, body: endpointUpdateSchema },
      handler: async ({ params, body }) => management.updateEndpoint(params.id, body),
    });
  }
  api.delete('/v1/endpoints/:id', { ...needs('all'), schema: { params: idParams } }, async ({ params }, reply) => {
    management.deleteEndpoint(params.id);
    return reply.code(204).send();
  });
}
