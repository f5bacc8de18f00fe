/** The API keys of an engine and their permissions. */
import {
  apiKeyCreatedSchema,
  apiKeySchema,
  pairingCodeSchema,
  type ApiKeyCreate,
  type ApiKeyCreated,
  type ApiKeyRecord,
  type ApiKeyUpdate,
  type PairingCode,
  type PairRequest,
} from '#contract/local/engine.ts';
import * as z from 'zod';
import { readJson } from './http/parsers.ts';
import type { Outbound } from './http/outbound.ts';

export interface ApiKeysApi {
  list(): Promise<ApiKeyRecord[]>;
  /** Only this answer contains the key itself. It goes to the host, never to the page. */
  create(input: ApiKeyCreate): Promise<ApiKeyCreated>;
  update(id: string, change: ApiKeyUpdate): Promise<ApiKeyRecord>;
  delete(id: string): Promise<void>;
  /** Only this answer contains the code. It goes to the host, never to the page. */
  createPairingCode(): Promise<PairingCode>;
  /** Exchanges a code of that engine for a key of its own. Needs no key. */
  pair(request: PairRequest): Promise<ApiKeyCreated>;
}

const PATH = '/local/v1/api-keys';
const one = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

export const createApiKeysApi = (outbound: Outbound): ApiKeysApi => ({
  list: async () => readJson('api-keys', await outbound.send({ method: 'GET', path: PATH }), z.array(apiKeySchema)),
  async create(input) {
    const text = await outbound.send({ method: 'POST', path: PATH, body: JSON.stringify(input) });
    return readJson('api-keys', text, apiKeyCreatedSchema);
  },
  async update(id, change) {
    const text = await outbound.send({ method: 'PATCH', path: one(id), body: JSON.stringify(change) });
    return readJson('api-keys', text, apiKeySchema);
  },
  async delete(id) {
    await outbound.send({ method: 'DELETE', path: one(id) });
  },
  createPairingCode: async () =>
    readJson(
      'pairing-codes',
      await outbound.send({ method: 'POST', path: '/local/v1/pairing-codes' }),
      pairingCodeSchema,
    ),
  async pair(request) {
    const text = await outbound.send({ method: 'POST', path: '/local/v1/pair', body: JSON.stringify(request) });
    return readJson('pair', text, apiKeyCreatedSchema);
  },
});
