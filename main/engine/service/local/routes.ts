/** The engine itself under /local/v1: its facts, workers, jobs, API keys and settings; and /health. */
import * as z from 'zod';
import {
  apiKeyCreatedSchema,
  apiKeyCreateSchema,
  apiKeySchema,
  apiKeyUpdateSchema,
  endpointReadinessSchema,
  engineFactsSchema,
  engineHealthSchema,
  jobTimelineSchema,
  pairingCodeSchema,
  pairSchema,
  workerSchema,
  type EndpointReadiness,
  type EngineFacts,
  type JobTimeline,
  type WorkerRecord,
} from '#contract/local/engine.ts';
import { AppError } from '#contract/core/errors.ts';
import { settingsChangeSchema, settingsSchema } from '#contract/local/settings.ts';
import type { ApiKeys } from '../../domain/access/apiKeys.ts';
import type { Pairing } from '../../domain/access/pairing.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

export interface LocalRoutesOptions {
  version: string;
  facts(): Promise<Omit<EngineFacts, 'name' | 'version'>>;
  /** Whether more than /health is answered by now. */
  isReady(): boolean;
  keys: ApiKeys;
  pairing: Pairing;
  settings: Settings;
  workers(): Promise<WorkerRecord[]>;
  readiness(): Promise<EndpointReadiness[]>;
  /** Null when there is no such job. */
  timeline(jobId: string): JobTimeline | null;
}

const idParams = z.object({ id: z.string() });

/** The readiness of an endpoint; routes of several files answer it. */
export const readinessShape = named('EndpointReadiness', endpointReadinessSchema);
const keyShape = named('ApiKey', apiKeySchema);
const settingsShape = named('Settings', settingsSchema);

function registerEngine(api: Api, options: LocalRoutesOptions): void {
  const { version } = options;
  api.get(
    '/health',
    operation({
      id: 'engineHealth',
      group: 'engine',
      need: null,
      summary: 'Whether the engine is ready, and its version.',
      answers: {
        200: {
          words: 'Its name and version; not `ready` while it reads its jobs, when every other request waits.',
          shape: named('EngineHealth', engineHealthSchema),
        },
      },
    }),
    async () => ({ name: 'hangar', version, ready: options.isReady() }),
  );
  api.get(
    '/local/v1/engine',
    operation({
      id: 'engineFacts',
      group: 'engine',
      need: 'read',
      summary: 'Tells what a person should know of the engine and its data.',
      answers: { 200: { words: 'The facts.', shape: named('EngineFacts', engineFactsSchema) } },
    }),
    async () => ({ name: 'hangar', version, ...(await options.facts()) }),
  );
  api.get(
    '/local/v1/workers',
    operation({
      id: 'workers',
      group: 'engine',
      need: 'read',
      summary: 'Lists the workers that this engine runs.',
      answers: { 200: { words: 'The workers.', shape: { listOf: named('Worker', workerSchema) } } },
    }),
    async () => options.workers(),
  );
  api.get(
    '/local/v1/endpoints',
    operation({
      id: 'endpointReadiness',
      group: 'engine',
      need: 'read',
      summary: 'Tells of each endpoint whether it can run here, and how.',
      answers: { 200: { words: 'The endpoints.', shape: { listOf: readinessShape } } },
    }),
    async () => options.readiness(),
  );
  api.get(
    '/local/v1/jobs/:id',
    operation({
      id: 'jobTimeline',
      group: 'engine',
      need: 'read',
      summary: 'Tells the moments of a job, and why it waits.',
      params: idParams,
      answers: { 200: { words: 'The job.', shape: named('JobTimeline', jobTimelineSchema) } },
    }),
    async ({ params }) => {
      const timeline = options.timeline(params.id);
      if (!timeline) throw new AppError('NOT_FOUND', `There is no job ${JSON.stringify(params.id)}.`);
      return timeline;
    },
  );
}

function registerKeys(api: Api, { keys }: Pick<LocalRoutesOptions, 'keys'>): void {
  const allowed = { group: 'api keys', need: 'all' } as const;
  api.get(
    '/local/v1/api-keys',
    operation({
      ...allowed,
      id: 'apiKeys',
      summary: 'Lists the API keys, without the keys themselves.',
      answers: { 200: { words: 'The keys.', shape: { listOf: keyShape } } },
    }),
    async () => keys.list(),
  );
  api.post(
    '/local/v1/api-keys',
    operation({
      ...allowed,
      id: 'createApiKey',
      summary: 'Makes an API key and shows it, this once.',
      body: named('ApiKeyCreate', apiKeyCreateSchema),
      answers: { 200: { words: 'The key.', shape: named('ApiKeyCreated', apiKeyCreatedSchema) } },
    }),
    async ({ body }) => keys.create(body),
  );
  api.patch(
    '/local/v1/api-keys/:id',
    operation({
      ...allowed,
      id: 'updateApiKey',
      summary: 'Names a key anew, changes its scope, disables or enables it.',
      params: idParams,
      body: named('ApiKeyUpdate', apiKeyUpdateSchema),
      answers: { 200: { words: 'The key.', shape: keyShape } },
    }),
    async ({ params, body }) => keys.update(params.id, body),
  );
  api.delete(
    '/local/v1/api-keys/:id',
    operation({
      ...allowed,
      id: 'deleteApiKey',
      summary: 'Deletes a key.',
      params: idParams,
      answers: { 204: { words: 'It is gone.', shape: null } },
    }),
    async ({ params }, reply) => {
      keys.delete(params.id);
      return reply.code(204).send();
    },
  );
}

function registerPairing(api: Api, { pairing }: Pick<LocalRoutesOptions, 'pairing'>): void {
  api.post(
    '/local/v1/pairing-codes',
    operation({
      group: 'api keys',
      need: 'all',
      id: 'createPairingCode',
      summary: 'Makes a code that another computer can exchange for an API key of its own, once.',
      answers: { 200: { words: 'The code.', shape: named('PairingCode', pairingCodeSchema) } },
    }),
    async () => pairing.invite(),
  );
  api.post(
    '/local/v1/pair',
    operation({
      group: 'api keys',
      need: null,
      id: 'pair',
      summary: 'Exchanges a pairing code for a new API key, which is shown this once. Needs no key.',
      body: named('Pair', pairSchema),
      answers: { 200: { words: 'The key.', shape: named('ApiKeyCreated', apiKeyCreatedSchema) } },
      refusals: ['UNAUTHORIZED'],
    }),
    async ({ body }) => pairing.redeem(body),
  );
}

function registerSettings(api: Api, { settings }: Pick<LocalRoutesOptions, 'settings'>): void {
  api.get(
    '/local/v1/settings',
    operation({
      id: 'settings',
      group: 'settings',
      need: 'all',
      summary: 'Tells the settings in force.',
      answers: { 200: { words: 'The settings.', shape: settingsShape } },
    }),
    async () => settings.current,
  );
  api.patch(
    '/local/v1/settings',
    operation({
      id: 'changeSettings',
      group: 'settings',
      need: 'all',
      summary: 'Changes the settings that are named, at any depth; in force at once, and kept.',
      body: named('SettingsChange', settingsChangeSchema),
      answers: { 200: { words: 'The settings in force now.', shape: settingsShape } },
    }),
    async ({ body }) => settings.change(body),
  );
}

export function registerLocalRoutes(api: Api, options: LocalRoutesOptions): void {
  registerEngine(api, options);
  registerKeys(api, options);
  registerPairing(api, options);
  registerSettings(api, options);
}
