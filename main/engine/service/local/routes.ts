/** What only an engine of ours can tell, under /local/v1, and /health. */
import * as z from 'zod';
import {
  apiKeyCreateSchema,
  apiKeyUpdateSchema,
  type EndpointReadiness,
  type EngineFacts,
  type JobTimeline,
  type WorkerRecord,
} from '#contract/local/engine.ts';
import { AppError } from '#contract/core/errors.ts';
import { settingsChangeSchema } from '#contract/local/settings.ts';
import type { ApiKeys } from '../../domain/access/apiKeys.ts';
import type { Settings } from '../../domain/settings.ts';
import { needs } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';

export interface LocalRoutesOptions {
  version: string;
  facts(): Promise<Omit<EngineFacts, 'name' | 'version'>>;
  /** Whether more than /health is answered by now. */
  isReady(): boolean;
  /** The OpenAPI document of /local/v1, as JSON. */
  document(): string;
  keys: ApiKeys;
  settings: Settings;
  workers(): Promise<WorkerRecord[]>;
  readiness(): Promise<EndpointReadiness[]>;
  /** Null when there is no such job. */
  timeline(jobId: string): JobTimeline | null;
}

const idParams = z.object({ id: z.string() });

export function registerLocalRoutes(api: Api, options: LocalRoutesOptions): void {
  const { keys, settings, version } = options;

  api.get('/health', needs(null), async () => ({ name: 'hangar', version, ready: options.isReady() }));
  api.get('/local/v1/engine', needs('read'), async () => ({ name: 'hangar', version, ...(await options.facts()) }));
  api.get('/local/v1/openapi.json', needs(null), async () => JSON.parse(options.document()) as unknown);
  api.get('/local/v1/workers', needs('read'), async () => options.workers());
  api.get('/local/v1/endpoints', needs('read'), async () => options.readiness());
  api.get('/local/v1/jobs/:id', { ...needs('read'), schema: { params: idParams } }, async ({ params }) => {
    const timeline = options.timeline(params.id);
    if (!timeline) throw new AppError('NOT_FOUND', `There is no job ${JSON.stringify(params.id)}.`);
    return timeline;
  });

  api.get('/local/v1/api-keys', needs('all'), async () => keys.list());
  api.post('/local/v1/api-keys', { ...needs('all'), schema: { body: apiKeyCreateSchema } }, async ({ body }) =>
    keys.create(body),
  );
  api.patch(
    '/local/v1/api-keys/:id',
    { ...needs('all'), schema: { params: idParams, body: apiKeyUpdateSchema } },
    async ({ params, body }) => keys.update(params.id, body),
  );
  api.delete('/local/v1/api-keys/:id', { ...needs('all'), schema: { params: idParams } }, async ({ params }, reply) => {
    keys.delete(params.id);
    return reply.code(204).send();
  });

  api.get('/local/v1/settings', needs('all'), async () => settings.current);
  api.patch('/local/v1/settings', { ...needs('all'), schema: { body: settingsChangeSchema } }, async ({ body }) =>
    settings.change(body),
  );
}
