/** Load-balancing endpoints with a real server behind them, and what tests send to it. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { healthSchema, type Health } from '#contract/api/job.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import type { TestEngine } from '../engine/engine.ts';
import type { Answer } from '../http/client.ts';
import { makeEndpoint } from '../resources/resources.ts';
import { until } from '../core/until.ts';

/** What the worker was sent, as it tells it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly trailers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly sha1: string;
  readonly workerId: string;
}

/** The request that app.ts of a worker got, which it answers as JSON. */
export const requestOf = ({ json }: Pick<Answer, 'json'>): ReceivedRequest => json as ReceivedRequest;

/** A load-balancing endpoint whose workers run app.ts, or the file `program`, or the text `app`. */
export async function makeBalanced(
  engine: TestEngine,
  {
    endpoint = {},
    env = {},
    app,
    program = app === undefined ? join(import.meta.dirname, 'app.ts') : 'app.mjs',
  }: { endpoint?: object; env?: Record<string, string>; app?: string; program?: string } = {},
): Promise<Endpoint> {
  const made = await makeEndpoint(engine, app === undefined ? {} : { 'app.mjs': app }, {
    template: { dockerStartCmd: [process.execPath, program], env },
    endpoint: { type: 'LB', workersMax: 1, idleTimeout: 60, ...endpoint },
  });
  return made.endpoint;
}

export const healthAt = async (engine: TestEngine, endpointId: string): Promise<Health> =>
  healthSchema.parse((await engine.http.get(`/v2/${endpointId}/health`)).json);

export const readyWorkers = (engine: TestEngine, endpointId: string, count: number): Promise<unknown> =>
  until(`${count} workers to be ready`, async () => (await healthAt(engine, endpointId)).workers.ready, count);

/** The headers that a worker was sent, by lower-case name. */
export const receivedHeaders = ({ rawHeaders }: Pick<ReceivedRequest, 'rawHeaders'>): Record<string, string> =>
  Object.fromEntries(
    rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? '']] : [])),
  );

/**
 * An open answer, whose body is read as it comes. `body` is sent as fast as it is taken: before the answer is looked
 * for, or with `early` beside it.
 */
export async function openAnswer(
  engine: TestEngine,
  path: string,
  body?: AsyncIterable<Buffer>,
  { early = false } = {},
): Promise<IncomingMessage> {
  const outgoing = httpRequest(new URL(path, engine.address), {
    agent: false,
    method: body ? 'POST' : 'GET',
    headers: { authorization: engine.key },
  });
  const answering = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  // A worker that answers first is not to be failed by what is still being sent.
  outgoing.on('error', () => undefined);
  const sending = (async () => {
    for await (const part of body ?? []) if (!outgoing.write(part)) await once(outgoing, 'drain');
    outgoing.end();
  })();
  if (!early) await sending;
  return (await answering)[0];
}
