/** Whatever stays open under a key: how it is opened, and what is left of it once the key has ended. */
import { once } from 'node:events';
import { truncate } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestEngine } from '../engine/engine.ts';
import { until } from '../core/until.ts';
import { jobsOf, type Jobs } from '../jobs/jobs.ts';
import { makeBalanced, readyWorkers } from '../loadBalancing/endpoint.ts';
import { beginSocket } from '../loadBalancing/webSocket.ts';
import { accepted, makeIdleEndpoint } from '../resources/resources.ts';
import { createOutsideWorker } from '../workers/outsideWorker.ts';

/** The status that it was answered with at last, or that it was cut off. */
export type End = number | 'cut';

export interface Opened {
  /** Null while it is open. */
  end(): End | null;
  /** Whether nothing more can be sent. */
  isClosed(): boolean;
  close(): void;
}

export interface OpenWorld {
  readonly engine: TestEngine;
  /** Of an endpoint without workers. */
  readonly jobs: Jobs;
  /** Balances load, and has a worker. */
  readonly balancedId: string;
  readonly volumeId: string;
}

export interface OpenCase {
  /** The least scope that it takes. */
  readonly scope: 'read' | 'jobs' | 'all';
  open(world: OpenWorld, key: string): Promise<Opened>;
  /** Whether anything was answered before the key ended: then it can only be cut off. */
  readonly begun: boolean;
  /** Checks what is left of it. */
  after?(world: OpenWorld, opened: Opened): Promise<void>;
}

/** Takes no room on the disk, and is not read to its end before a key has ended, however slow the disk is. */
const LARGE_BYTES = 64 * 1024 ** 3;

export async function makeOpenWorld(engine: TestEngine): Promise<OpenWorld> {
  const [idle, balanced] = [await makeIdleEndpoint(engine), await makeBalanced(engine)];
  const volume = accepted(
    await engine.http.post('/v1/networkvolumes', { name: 'files', size: 1, dataCenterId: 'EU-RO-1' }),
  ) as { id: string };
  accepted(await engine.http.send('PUT', `/local/v1/volumes/${volume.id}/files/content?path=large`, 'x'));
  const volumes = accepted(await engine.http.get('/local/v1/volumes')) as { id: string; folder: string }[];
  await truncate(join(volumes.find(({ id }) => id === volume.id)!.folder, 'large'), LARGE_BYTES);
  // The first request starts the worker.
  accepted(await engine.http.get(`/lb/${balanced.id}/`));
  await readyWorkers(engine, balanced.id, 1);
  return { engine, jobs: jobsOf(engine, idle.id), balancedId: balanced.id, volumeId: volume.id };
}

interface Asked {
  method?: string;
  path: string;
  body?: string;
  /** More of the body is to come. */
  unfinished?: true;
  /** Nothing of the answer is read for now. */
  unread?: true;
  /** Called once the request has been sent; the answer begins with what it does. */
  begin?(): Promise<unknown>;
}

/**
 * A request that the engine has, and whose answer has not ended. With `begin`, or where it is not read, the answer has
 * begun.
 */
async function openRequest(engine: TestEngine, key: string, opening: Asked): Promise<Opened> {
  const { method = 'GET', path, body, unfinished, unread, begin } = opening;
  // As programs ask that go on asking.
  const headers = {
    authorization: key,
    connection: 'keep-alive',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const outgoing = request(new URL(path, engine.address), { agent: false, method, headers });
  const answering = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  let ended: End | null = null;
  let answer: IncomingMessage | null = null;
  outgoing.on('error', () => (ended ??= 'cut'));
  answering.then(
    ([incoming]) => {
      answer = incoming;
      incoming.on('error', () => undefined);
      incoming.on('close', () => (ended ??= incoming.complete ? (incoming.statusCode ?? 0) : 'cut'));
      if (!unread) incoming.resume();
    },
    () => undefined,
  );
  if (unfinished) await new Promise((resolve) => outgoing.write(body, resolve));
  else {
    outgoing.end(body);
    await once(outgoing, 'finish');
  }
  // What was sent before is read before.
  accepted(await engine.http.get('/health'));
  await begin?.();
  if (begin || unread) await answering;
  return {
    end() {
      answer?.resume();
      return ended;
    },
    isClosed: () => outgoing.socket?.destroyed ?? false,
    close: () => outgoing.destroy(),
  };
}

const queued = ({ jobs }: OpenWorld): Promise<string> => jobs.run({});
const chat = (stream: boolean): string => JSON.stringify({ model: 'm', stream, messages: [] });

/** The newest job of the endpoint. */
async function newest({ engine, jobs }: OpenWorld): Promise<string | undefined> {
  const list = accepted(await engine.http.get(`${jobs.path}/requests?limit=1`)) as { requests: { status: string }[] };
  return list.requests[0]?.status;
}

export const openCases: Readonly<Record<string, OpenCase>> = {
  'the events of the log': {
    scope: 'read',
    begun: true,
    open: ({ engine }, key) =>
      openRequest(engine, key, { path: '/local/v1/logs/events', begin: () => Promise.resolve() }),
  },
  'a wait for the end of a job': {
    scope: 'read',
    begun: false,
    open: async (world, key) =>
      openRequest(world.engine, key, { path: `${world.jobs.path}/status-sync/${await queued(world)}?wait=300000` }),
  },
  'a wait for a chunk': {
    scope: 'read',
    begun: false,
    open: async (world, key) =>
      openRequest(world.engine, key, { path: `${world.jobs.path}/stream/${await queued(world)}?wait=300000` }),
  },
  'a file that is read': {
    scope: 'read',
    begun: true,
    open: ({ engine, volumeId }, key) =>
      openRequest(engine, key, { path: `/local/v1/volumes/${volumeId}/files/content?path=large`, unread: true }),
  },
  'a job that is submitted and waited for': {
    scope: 'jobs',
    begun: false,
    open: ({ engine, jobs }, key) =>
      openRequest(engine, key, { method: 'POST', path: `${jobs.path}/runsync?wait=300000`, body: '{"input":{}}' }),
    // As when its caller goes: the job goes on.
    after: async (world) => expect(await newest(world)).toBe('IN_QUEUE'),
  },
  'an OpenAI request': {
    scope: 'jobs',
    begun: false,
    open: ({ engine, jobs }, key) =>
      openRequest(engine, key, { method: 'POST', path: `${jobs.path}/openai/v1/chat/completions`, body: chat(false) }),
    after: async (world) => expect(await newest(world)).toBe('CANCELLED'),
  },
  'an OpenAI stream': {
    scope: 'jobs',
    begun: true,
    async open({ engine }, key) {
      const { id } = await makeIdleEndpoint(engine);
      const worker = createOutsideWorker(engine, id);
      return openRequest(engine, key, {
        method: 'POST',
        path: `/v2/${id}/openai/v1/chat/completions`,
        body: chat(true),
        async begin() {
          const job = await worker.take();
          await worker.stream(job?.id ?? '', { output: 'data: {}\n\n' });
        },
      });
    },
  },
  'a request that a worker of /lb has': {
    scope: 'jobs',
    begun: false,
    open: ({ engine, balancedId }, key) => openRequest(engine, key, { path: `/lb/${balancedId}/never` }),
  },
  'an answer that a worker of /lb goes on with': {
    scope: 'jobs',
    begun: true,
    open: ({ engine, balancedId }, key) =>
      openRequest(engine, key, { path: `/lb/${balancedId}/events`, begin: () => Promise.resolve() }),
  },
  'a WebSocket to a worker of /lb': {
    scope: 'jobs',
    begun: true,
    async open({ engine, balancedId }, key) {
      const socket = beginSocket(engine, balancedId, '/any', { headers: { authorization: key } });
      let end: End | null = null;
      socket.on('error', () => undefined);
      socket.on('close', () => (end = 'cut'));
      await once(socket, 'open');
      return { end: () => end, isClosed: () => end !== null, close: () => socket.terminate() };
    },
  },
  'a worker that waits for a job': {
    scope: 'all',
    begun: false,
    async open({ engine }, key) {
      const { id } = await makeIdleEndpoint(engine);
      return openRequest(engine, key, { path: `/v2/${id}/job-take/worker-${id}?gpu=none` });
    },
  },
  'chunks that a worker sends': {
    scope: 'all',
    begun: false,
    async open({ engine }, key) {
      const { id } = await makeIdleEndpoint(engine);
      const worker = createOutsideWorker(engine, id);
      const job = await jobsOf(engine, id).run({});
      await worker.take();
      return openRequest(engine, key, {
        method: 'POST',
        path: `/v2/${id}/job-stream/${worker.id}/${job}?gpu=none&ndjson=1`,
        body: '{"output":1}\n',
        unfinished: true,
      });
    },
  },
  'a file that is written': {
    scope: 'all',
    begun: false,
    open: ({ engine, volumeId }, key) =>
      openRequest(engine, key, {
        method: 'PUT',
        path: `/local/v1/volumes/${volumeId}/files/content?path=new`,
        body: 'half of it',
        unfinished: true,
      }),
    async after({ engine, volumeId }, { isClosed }) {
      await until('its connection to be closed', isClosed);
      const listed = accepted(await engine.http.get(`/local/v1/volumes/${volumeId}/files`)) as { entries: unknown[] };
      expect(listed.entries).toEqual([expect.objectContaining({ name: 'large' })]);
    },
  },
};
