/** The management API under /v1: templates and endpoints. Volumes and registry auths stand in a file of their own. */
import * as z from 'zod';
import {
  endpointQuerySchema,
  templateQuerySchema,
  type EndpointAnswer,
  type EndpointQuery,
} from '#contract/api/resourceAnswers.ts';
import {
  endpointCreateSchema,
  endpointUpdateSchema,
  templateCreateSchema,
  templateUpdateSchema,
  type KeptEndpoint,
} from '#contract/api/resources.ts';
import type { Pod } from '#contract/api/pod.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import type { Management } from '../../domain/resources/resourceService.ts';
import { endpointView, templateView } from '../../domain/resources/views.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import type { Api } from '../access/api.ts';
import { headerText, NOTICE_HEADER } from '../http/compat.ts';
import { needs } from '../access/routeAccess.ts';

export interface ManagementRoutesOptions {
  templates: Templates;
  endpoints: Endpoints;
  management: Management;
  /** What a person should know of an endpoint that was just made, changed or asked for. */
  noticesOf(endpointId: string): Promise<string[]>;
  /** The workers there are, as the Pods that they are in the cloud. */
  workersAsPods(): Promise<Pod[]>;
}

const templateParams = z.object({ templateId: z.string() });
const endpointParams = z.object({ endpointId: z.string() });

export function registerManagementRoutes(api: Api, options: ManagementRoutesOptions): void {
  const { templates, endpoints, management, workersAsPods, noticesOf } = options;

  api.get('/v1/templates', { ...needs('read'), schema: { querystring: templateQuerySchema } }, async ({ query }) =>
    templates
      .list()
      .filter(({ id }) => query.includeEndpointBoundTemplates || endpoints.usingTemplate(id).length === 0)
      .map(templateView),
  );
  // Whoever names a template wants it, whatever it is bound to.
  api.get(
    '/v1/templates/:templateId',
    { ...needs('read'), schema: { params: templateParams, querystring: templateQuerySchema } },
    async ({ params }) => templateView(templates.get(params.templateId)),
  );
  api.post('/v1/templates', { ...needs('all'), schema: { body: templateCreateSchema } }, async ({ body }) =>
    templateView(templates.create(body)),
  );
  // POST …/update is a synonym of PATCH, for clients that cannot send PATCH.
  for (const [method, url] of [
    ['PATCH', '/v1/templates/:templateId'],
    ['POST', '/v1/templates/:templateId/update'],
  ] as const) {
    api.route({
      method,
      url,
      ...needs('all'),
      schema: { params: templateParams, body: templateUpdateSchema },
      handler: async ({ params, body }) => templateView(management.updateTemplate(params.templateId, body)),
    });
  }
  api.delete(
    '/v1/templates/:templateId',
    { ...needs('all'), schema: { params: templateParams } },
    async ({ params }, reply) => {
      management.deleteTemplate(params.templateId);
      return reply.code(204).send();
    },
  );

  const toView = (endpoint: KeptEndpoint): EndpointAnswer =>
    endpointView(endpoint, templates.find(endpoint.templateId));
  /** Workers without their variables, which may be secrets of others. */
  const workersOf = (workers: readonly Pod[], endpointId: string): Pod[] =>
    workers.filter((worker) => worker['endpointId'] === endpointId).map((worker) => ({ ...worker, env: {} }));
  /** Sends the notices as a header: the body has the fields of the cloud's API only. */
  async function setNoticeHeader(
    endpointId: string,
    reply: { header(name: string, value: string): unknown },
  ): Promise<void> {
    const notices = await noticesOf(endpointId);
    if (notices.length > 0) reply.header(NOTICE_HEADER, headerText(notices.join(' ')));
  }
  async function expanded(list: readonly KeptEndpoint[], query: EndpointQuery): Promise<EndpointAnswer[]> {
    const workers = query.includeWorkers ? await workersAsPods() : null;
    return list.map((endpoint) => {
      const template = query.includeTemplate ? templates.find(endpoint.templateId) : undefined;
      return {
        ...toView(endpoint),
        ...(template && { template: templateView(template) }),
        ...(workers && { workers: workersOf(workers, endpoint.id) }),
      };
    });
  }

  api.get('/v1/endpoints', { ...needs('read'), schema: { querystring: endpointQuerySchema } }, async ({ query }) =>
    expanded(endpoints.list(), query),
  );
  api.get(
    '/v1/endpoints/:endpointId',
    { ...needs('read'), schema: { params: endpointParams, querystring: endpointQuerySchema } },
    async ({ params, query }, reply) => {
      const endpoint = endpoints.get(params.endpointId);
      await setNoticeHeader(endpoint.id, reply);
      return (await expanded([endpoint], query))[0];
    },
  );
  api.post('/v1/endpoints', { ...needs('all'), schema: { body: endpointCreateSchema } }, async ({ body }, reply) => {
    const endpoint = management.createEndpoint(body);
    await setNoticeHeader(endpoint.id, reply);
    return toView(endpoint);
  });
  for (const [method, url] of [
    ['PATCH', '/v1/endpoints/:endpointId'],
    ['POST', '/v1/endpoints/:endpointId/update'],
  ] as const) {
    api.route({
      method,
      url,
      ...needs('all'),
      schema: { params: endpointParams, body: endpointUpdateSchema },
      handler: async ({ params, body }, reply) => {
        const endpoint = management.updateEndpoint(params.endpointId, body);
        await setNoticeHeader(endpoint.id, reply);
        return toView(endpoint);
      },
    });
  }
  api.delete(
    '/v1/endpoints/:endpointId',
    { ...needs('all'), schema: { params: endpointParams } },
    async ({ params }, reply) => {
      management.deleteEndpoint(params.endpointId);
      return reply.code(204).send();
    },
  );
}
