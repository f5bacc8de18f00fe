/** Records of REST v2 as tests make, read, change and delete them; whatever is refused fails the test. */
import type { RestV2Client } from './client.ts';

export interface Made {
  id: string;
  [field: string]: unknown;
}

export interface Maker {
  /** `path`: of the list. */
  make(path: string, body: object): Promise<Made>;
  /** `path` as the documents have it; `query` with its question mark. */
  read(path: string, id?: string, query?: string): Promise<Record<string, unknown>>;
  change(path: string, id: string, body: object): Promise<Made>;
  remove(path: string, id: string): Promise<void>;
}

export const createMaker = (client: RestV2Client): Maker => ({
  make: async (path, body) => (await client.made(201, 'POST', path, body)) as Made,
  read: async (path, id = '', query = '') =>
    (await client.made(200, 'GET', path, undefined, { params: { id }, query })) as Record<string, unknown>,
  change: async (path, id, body) => (await client.made(200, 'PATCH', `${path}/{id}`, body, { params: { id } })) as Made,
  async remove(path, id) {
    await client.made(204, 'DELETE', `${path}/{id}`, undefined, { params: { id } });
  },
});

export const QUEUE = { type: 'QUEUE', scaling: { type: 'QUEUE_DELAY', queueDelay: 4 } };
export const CPU = { cpu: [{ id: 'cpu3c', vcpuCount: 2 }] };

/** An endpoint on the processor that starts no worker. */
export const idleEndpoint = () => ({ name: 'idle', image: 'me/image', workers: { max: 0 }, ...QUEUE, ...CPU });
