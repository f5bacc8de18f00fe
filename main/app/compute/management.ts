/** The management API of an account over HTTP: templates and endpoints. */
import {
  endpointSchema,
  templateSchema,
  type Endpoint,
  type EndpointCreate,
  type Template,
  type TemplateCreate,
} from '#contract/resources.ts';
import * as z from 'zod';
import { readJson } from './answers.ts';
import type { Outbound } from './outbound.ts';

export interface ManagementApi {
  templates(): Promise<Template[]>;
  createTemplate(template: TemplateCreate): Promise<Template>;
  endpoints(): Promise<Endpoint[]>;
  createEndpoint(endpoint: EndpointCreate): Promise<Endpoint>;
}

export function createManagementApi(outbound: Outbound): ManagementApi {
  const list = async <S extends z.ZodType>(path: string, item: S): Promise<z.output<S>[]> =>
    readJson(path, await outbound.send({ method: 'GET', path }), z.array(item));
  const create = async <S extends z.ZodType>(path: string, body: unknown, answer: S): Promise<z.output<S>> =>
    readJson(path, await outbound.send({ method: 'POST', path, body: JSON.stringify(body) }), answer);

  return {
    templates: () => list('/v1/templates', templateSchema),
    createTemplate: (template) => create('/v1/templates', template, templateSchema),
    endpoints: () => list('/v1/endpoints', endpointSchema),
    createEndpoint: (endpoint) => create('/v1/endpoints', endpoint, endpointSchema),
  };
}
