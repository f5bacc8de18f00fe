/** API keys and settings, as a part of the table that /local/v1/openapi.json is made from. */
import { apiKeyCreatedSchema, apiKeyCreateSchema, apiKeySchema, apiKeyUpdateSchema } from '#contract/local/engine.ts';
import { settingsChangeSchema, settingsSchema } from '#contract/local/settings.ts';
import type { Operation } from '../document.ts';

export const keyRequests = {
  ApiKeyCreate: apiKeyCreateSchema,
  ApiKeyUpdate: apiKeyUpdateSchema,
  SettingsChange: settingsChangeSchema,
};
export const keyAnswers = { ApiKey: apiKeySchema, ApiKeyCreated: apiKeyCreatedSchema, Settings: settingsSchema };
type Name = keyof typeof keyRequests | keyof typeof keyAnswers;

export const keyOperations: readonly Operation<Name>[] = [
  {
    methods: ['get'],
    path: '/local/v1/api-keys',
    id: 'apiKeys',
    group: 'api keys',
    need: 'all',
    summary: 'Lists the API keys, without the keys themselves.',
    answers: { 200: { words: 'The keys.', shape: { listOf: 'ApiKey' } } },
    refusals: [],
  },
  {
    methods: ['post'],
    path: '/local/v1/api-keys',
    id: 'createApiKey',
    group: 'api keys',
    need: 'all',
    summary: 'Makes an API key and shows it, this once.',
    body: { shape: 'ApiKeyCreate', required: true },
    answers: { 200: { words: 'The key.', shape: 'ApiKeyCreated' } },
    refusals: [],
  },
  {
    methods: ['patch'],
    path: '/local/v1/api-keys/{id}',
    id: 'updateApiKey',
    group: 'api keys',
    need: 'all',
    summary: 'Names a key anew, changes its scope, disables or enables it.',
    body: { shape: 'ApiKeyUpdate', required: true },
    answers: { 200: { words: 'The key.', shape: 'ApiKey' } },
    refusals: [],
  },
  {
    methods: ['delete'],
    path: '/local/v1/api-keys/{id}',
    id: 'deleteApiKey',
    group: 'api keys',
    need: 'all',
    summary: 'Deletes a key.',
    answers: { 204: { words: 'It is gone.', shape: null } },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/local/v1/settings',
    id: 'settings',
    group: 'settings',
    need: 'all',
    summary: 'Tells the settings in force.',
    answers: { 200: { words: 'The settings.', shape: 'Settings' } },
    refusals: [],
  },
  {
    methods: ['patch'],
    path: '/local/v1/settings',
    id: 'changeSettings',
    group: 'settings',
    need: 'all',
    summary: 'Changes the settings that are named, at any depth; in force at once, and kept.',
    body: { shape: 'SettingsChange', required: true },
    answers: { 200: { words: 'The settings in force now.', shape: 'Settings' } },
    refusals: [],
  },
];
