/** The management API under /v1: templates and endpoints. Volumes and registry auths stand in a file of their own. */
import * as z from 'zod';
import {
  endpointAnswerSchema,
  endpointQuerySchema,
  templateAnswerSchema,
  templateQuerySchema,
  type EndpointAnswer,
  type EndpointQuery,
} from '#contract/api/resourceAnswers.ts';
import {
  endpointCreateSchema,
  endpointUpdateSchema,
  templateCreateSchema,
  templateDefaults,
  templateUpdateSchema,
  type EngineEndpoint,
} from '#contract/api/resources.ts';
import type { Pod } from '#contract/api/pod.ts';
import { cloudDataCenters } from '#contract/core/cloudNames.ts';
import { endpointDefaults, type Endpoints } from '../../domain/resources/endpoints.ts';
import type { Management } from '../../domain/resources/resourceService.ts';
import { endpointView, templateView } from '../../domain/resources/views.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import type { Api } from '../access/api.ts';
import { headerText, NOTICE_HEADER } from '../http/compat.ts';
import { named, operation } from '../openapi/operation.ts';
import { flag } from '../openapi/queryParameters.ts';
import { describeResource } from './descriptions.ts';

export interface ResourceRoutesOptions {
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

const templateOperations = describeResource({
  group: 'templates',
  nouns: ['template', 'templates'],
  ids: ['Template', 'Templates'],
  shape: named('Template', templateAnswerSchema, { defaults: { env: {} } }),
});
const templateInput = named('TemplateCreateInput', templateCreateSchema, { defaults: templateDefaults });
const templateChange = named('TemplateUpdateInput', templateUpdateSchema);
const templateQuery = {
  includeEndpointBoundTemplates: flag('Templates that endpoints use, too.'),
  includePublicTemplates: flag('Public templates of others, too; there are none here.'),
  includeRunpodTemplates: flag('Templates of the cloud, too; there are none here.'),
};

// The default of this field is a setting, which a person may change.
const { executionTimeoutMs: _, ...endpointsOwn } = endpointDefaults;
const endpointOperations = describeResource({
  group: 'endpoints',
  nouns: ['endpoint', 'endpoints'],
  ids: ['Endpoint', 'Endpoints'],
  shape: named('Endpoint', endpointAnswerSchema, { defaults: { env: {}, dataCenterIds: cloudDataCenters } }),
  headers: { [NOTICE_HEADER]: 'Why it cannot run here, or what it gets in place of what it asks for.' },
});
const endpointInput = named('EndpointCreateInput', endpointCreateSchema, {
  defaults: { ...endpointsOwn, dataCenterIds: cloudDataCenters },
});
const endpointChange = named('EndpointUpdateInput', endpointUpdateSchema);
const endpointQuery = {
  includeTemplate: flag('With its template.'),
  includeWorkers: flag('With its workers, as the Pods that they are in the cloud.'),
};

type TemplateParts = Pick<ResourceRoutesOptions, 'templates' | 'endpoints' | 'management'>;

function registerTemplateRoutes(api: Api, { templates, endpoints, management }: TemplateParts): void {
  const { list, create, get, updates, remove } = templateOperations;
  api.get(
    '/v1/templates',
    operation({ ...list, querystring: templateQuerySchema, query: templateQuery, refusals: ['BAD_REQUEST'] }),
    async ({ query }) =>
      templates
        .list()
        .filter(({ id }) => query.includeEndpointBoundTemplates || endpoints.usingTemplate(id).length === 0)
        .map(templateView),
  );
  api.post('/v1/templates', operation({ ...create, body: templateInput }), async ({ body }) =>
    templateView(templates.create(body)),
  );
  // The filters do not apply: a caller that names a template gets it.
  api.get(
    '/v1/templates/:templateId',
    operation({
      ...get,
      params: templateParams,
      querystring: templateQuerySchema,
      query: templateQuery,
      refusals: ['BAD_REQUEST'],
    }),
    async ({ params }) => templateView(templates.get(params.templateId)),
  );
  for (const { method, tail, description } of updates) {
    api.route({
      method,
      url: `/v1/templates/:templateId${tail}`,
      ...operation({ ...description, params: templateParams, body: templateChange }),
      handler: async ({ params, body }) => templateView(management.updateTemplate(params.templateId, body)),
    });
  }
  api.delete(
    '/v1/templates/:templateId',
    operation({
      ...remove,
      summary: 'Deletes a template. One that is used is a 400 that names who uses it.',
      params: templateParams,
    }),
    async ({ params }, reply) => {
      management.deleteTemplate(params.templateId);
      return reply.code(204).send();
    },
  );
}

function registerEndpointRoutes(api: Api, options: ResourceRoutesOptions): void {
  const { templates, endpoints, management, workersAsPods, noticesOf } = options;
  const { list, create, get, updates, remove } = endpointOperations;

  const toView = (endpoint: EngineEndpoint): EndpointAnswer =>
    endpointView(endpoint, templates.find(endpoint.templateId));
  /** The workers without their variables, which may be secrets of others. */
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
  function expanded(endpoint: EngineEndpoint, query: EndpointQuery, workers: readonly Pod[] | null): EndpointAnswer {
    const template = query.includeTemplate ? templates.find(endpoint.templateId) : undefined;
    return {
      ...toView(endpoint),
      ...(template && { template: templateView(template) }),
      ...(workers && { workers: workersOf(workers, endpoint.id) }),
    };
  }

  api.get(
    '/v1/endpoints',
    operation({ ...list, querystring: endpointQuerySchema, query: endpointQuery, refusals: ['BAD_REQUEST'] }),
    async ({ query }) => {
      const workers = query.includeWorkers ? await workersAsPods() : null;
      return endpoints.list().map((endpoint) => expanded(endpoint, query, workers));
    },
  );
  api.post('/v1/endpoints', operation({ ...create, body: endpointInput }), async ({ body }, reply) => {
    const endpoint = management.createEndpoint(body);
    await setNoticeHeader(endpoint.id, reply);
    return toView(endpoint);
  });
  api.get(
    '/v1/endpoints/:endpointId',
    operation({
      ...get,
      params: endpointParams,
      querystring: endpointQuerySchema,
      query: endpointQuery,
      refusals: ['BAD_REQUEST'],
    }),
    async ({ params, query }, reply) => {
      const endpoint = endpoints.get(params.endpointId);
      await setNoticeHeader(endpoint.id, reply);
      return expanded(endpoint, query, query.includeWorkers ? await workersAsPods() : null);
    },
  );
  for (const { method, tail, description } of updates) {
    api.route({
      method,
      url: `/v1/endpoints/:endpointId${tail}`,
      ...operation({ ...description, params: endpointParams, body: endpointChange }),
      handler: async ({ params, body }, reply) => {
        const endpoint = management.updateEndpoint(params.endpointId, body);
        await setNoticeHeader(endpoint.id, reply);
        return toView(endpoint);
      },
    });
  }
  api.delete(
    '/v1/endpoints/:endpointId',
    operation({ ...remove, summary: 'Deletes an endpoint, with its jobs.', params: endpointParams }),
    async ({ params }, reply) => {
      management.deleteEndpoint(params.endpointId);
      return reply.code(204).send();
    },
  );
}

export function registerResourceRoutes(api: Api, options: ResourceRoutesOptions): void {
  registerTemplateRoutes(api, options);
  registerEndpointRoutes(api, options);
}
