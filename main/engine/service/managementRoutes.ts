/** The management API under /v1: templates and endpoints. Volumes and registry auths stand in a file of their own. */
import * as z from 'zod';
import {
  endpointCreateSchema,
  endpointQuerySchema,
  endpointUpdateSchema,
  templateCreateSchema,
  templateQuerySchema,
  templateUpdateSchema,
  type EndpointAnswer,
  type EndpointQuery,
  type KeptEndpoint,
} from '#contract/resources.ts';
import type { ApiKeys } from '../domain/apiKeys.ts';
import type { Endpoints } from '../domain/endpoints.ts';
import type { Management } from '../domain/management.ts';
import { endpointTold, templateTold } from '../domain/resourceViews.ts';
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

  api.get('/v1/templates', { ...needs('read'), schema: { querystring: templateQuerySchema } }, async ({ query }) =>
    templates
      .list()
      .filter(({ id }) => query.includeEndpointBoundTemplates || endpoints.usingTemplate(id).length === 0)
      .map(templateTold),
  );
  // Whoever names a template wants it, whatever it is bound to.
  api.get(
    '/v1/templates/:id',
    { ...needs('read'), schema: { params: idParams, querystring: templateQuerySchema } },
    async ({ params }) => templateTold(templates.get(params.id)),
  );
  api.post('/v1/templates', { ...needs('all'), schema: { body: templateCreateSchema } }, async ({ body }) =>
    templateTold(templates.create(body)),
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
      handler: async ({ params, body }) => templateTold(management.updateTemplate(params.id, body)),
    });
  }
  api.delete('/v1/templates/:id', { ...needs('all'), schema: { params: idParams } }, async ({ params }, reply) => {
    management.deleteTemplate(params.id);
    return reply.code(204).send();
  });

  const told = (endpoint: KeptEndpoint): EndpointAnswer => endpointTold(endpoint, templates.find(endpoint.templateId));
  function expanded(endpoint: KeptEndpoint, { includeTemplate }: EndpointQuery): EndpointAnswer {
    const template = templates.find(endpoint.templateId);
    return { ...told(endpoint), ...(includeTemplate && template ? { template: templateTold(template) } : {}) };
  }

  api.get('/v1/endpoints', { ...needs('read'), schema: { querystring: endpointQuerySchema } }, async ({ query }) =>
    endpoints.list().map((endpoint) => expanded(endpoint, query)),
  );
  api.get(
    '/v1/endpoints/:id',
    { ...needs('read'), schema: { params: idParams, querystring: endpointQuerySchema } },
    async ({ params, query }) => expanded(endpoints.get(params.id), query),
  );
  api.post('/v1/endpoints', { ...needs('all'), schema: { body: endpointCreateSchema } }, async ({ body }) =>
    told(management.createEndpoint(body)),
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
      handler: async ({ params, body }) => told(management.updateEndpoint(params.id, body)),
    });
  }
  api.delete('/v1/endpoints/:id', { ...needs('all'), schema: { params: idParams } }, async ({ params }, reply) => {
    management.deleteEndpoint(params.id);
    return reply.code(204).send();
  });
}
