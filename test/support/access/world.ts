/** An engine with one of each thing that a key may read or change, and what of that can be seen from outside. */
import { randomBytes } from 'node:crypto';
import { limits } from '#contract/core/limits.ts';
import { apiKeyCreatedSchema, type ApiKeyCreated } from '#contract/local/engine.ts';
import type { TestEngine } from '../engine/engine.ts';
import { createHttp } from '../http/client.ts';
import { graphqlData } from '../http/graphql.ts';
import { jobsOf, type Jobs } from '../jobs/jobs.ts';
import { accepted, makeEndpoint, UNTIL_ABORTED } from '../resources/resources.ts';
import type { Receiver } from '../webhooks/receiver.ts';
import { createOutsideWorker } from '../workers/outsideWorker.ts';
import { until } from '../core/until.ts';
import { keepJobs } from '../engine/settings.ts';

/** Tells its key, and then has its job for good: it asks for no other one. */
const TELLS_KEY = `${UNTIL_ABORTED}
export default async function* (job, { signal }) {
  yield process.env.RUNPOD_AI_API_KEY;
  await untilAborted(signal);
}`;

/** A worker that the engine started, busy with a job. */
export interface BusyWorker {
  readonly endpointId: string;
  readonly workerId: string;
  readonly key: string;
}

interface EndedJob {
  chunks?: readonly unknown[];
  webhook?: string;
}

export interface World {
  readonly engine: TestEngine;
  /** In every variable, credential and address of a webhook that there is. */
  readonly secret: string;
  /** Without workers. */
  readonly endpointId: string;
  readonly templateId: string;
  readonly jobs: Jobs;
  readonly webhookId: string;
  readonly volumeId: string;
  readonly authId: string;
  readonly worker: BusyWorker;
  /** A job of the endpoint that has ended so, with chunks that nobody has read. */
  endedJob(result: object, more?: EndedJob): Promise<string>;
  /** Settles once no webhook is on its way. */
  delivered(): Promise<unknown>;
  /**
   * What shows a change: the answer to each question about the state, as text, by its path. Reads with the key of the
   * engine's run.
   */
  state(): Promise<Record<string, string>>;
}

export async function makeKey(engine: TestEngine, fields: object): Promise<ApiKeyCreated> {
  return apiKeyCreatedSchema.parse(
    accepted(await engine.http.post('/local/v1/api-keys', { name: 'a key', ...fields })),
  );
}

export async function startBusyWorker(engine: TestEngine, env: Record<string, string> = {}): Promise<BusyWorker> {
  const { endpoint } = await makeEndpoint(
    engine,
    { 'handler.mjs': TELLS_KEY },
    // The job lasts for as long as the tests.
    { template: { env }, endpoint: { workersMax: 1, executionTimeoutMs: limits.executionTimeoutMs.max } },
  );
  const jobs = jobsOf(engine, endpoint.id);
  const id = await jobs.run({});
  const [{ output: key }] = await until(
    'the worker to tell its key',
    async () => accepted(await engine.http.get(`${jobs.path}/stream/${id}`)) as [{ output: string }],
    (chunks) => chunks.length > 0,
  );
  const { workerId } = await jobs.status(id);
  return { endpointId: endpoint.id, workerId: workerId ?? '', key };
}

export async function makeWorld(engine: TestEngine, receiver: Receiver): Promise<World> {
  // What is compared must not go by its own clock meanwhile.
  await keepJobs(engine);
  const secret = `s3cret${randomBytes(8).toString('hex')}`;
  const env = { TOKEN: secret };
  const { endpoint, template } = await makeEndpoint(
    engine,
    { 'handler.mjs': 'export default () => null;\n' },
    { template: { env }, endpoint: { workersMax: 0 } },
  );
  const jobs = jobsOf(engine, endpoint.id);
  const outside = createOutsideWorker(engine, endpoint.id);
  const made = async (path: string, body: object): Promise<string> =>
    (accepted(await engine.http.post(path, body)) as { id: string }).id;

  /** Of the jobs with chunks, the one that was made last. */
  let newestStream = '';
  async function endedJob(result: object, { chunks = [], ...envelope }: EndedJob = {}): Promise<string> {
    const id = await jobs.run({}, envelope);
    if (chunks.length > 0) newestStream = id;
    for (let taken = ''; taken !== id;) {
      taken = (await outside.take())?.id ?? '';
      if (taken === id) for (const output of chunks) await outside.stream(id, { output });
      // Those that wait before it are of other tests.
      await outside.done(taken, result);
    }
    return id;
  }

  const volumeId = await made('/v1/networkvolumes', { name: 'a volume', size: 1, dataCenterId: 'EU-RO-1' });
  const authId = await made('/v1/containerregistryauth', { name: 'an auth', username: secret, password: secret });
  await engine.http.send('PUT', `/local/v1/volumes/${volumeId}/files/content?path=file`, 'text');
  const webhook = `${receiver.origin.replace('//', `//name:${secret}@`)}/${secret}?token=${secret}`;
  await endedJob({ output: 1 }, { webhook });
  const delivered = () =>
    until(
      'the webhook to be delivered',
      async () => accepted(await engine.http.get('/local/v1/webhooks?state=delivered')) as { id: string }[],
      (list) => list[0],
    );
  const { id: webhookId } = await delivered();
  const worker = await startBusyWorker(engine, env);
  await endedJob({ output: 1 }, { chunks: [1, 2] });
  const reader = await makeKey(engine, { name: 'reader', scope: 'read' });

  const lists = [
    '/v1/templates?includeEndpointBoundTemplates=true',
    '/v1/endpoints',
    '/v1/networkvolumes',
    '/v1/containerregistryauth',
    '/v1/pods',
    '/local/v1/settings',
    '/local/v1/pause',
    '/local/v1/set-aside',
    '/local/v1/webhooks',
    '/local/v1/terminals',
    `/local/v1/volumes/${volumeId}/files`,
    ...[endpoint.id, worker.endpointId].flatMap((id) => [
      `/v2/${id}/requests?limit=1000`,
      `/local/v1/endpoints/${id}/queue?limit=1000`,
    ]),
  ];
  async function state(): Promise<Record<string, string>> {
    const http = createHttp(engine.address, engine.key, 4);
    // Text is compared at once; as values, some hundred jobs take many milliseconds.
    const read = async (path: string, authorization?: string): Promise<string> => {
      const { status, text } = await http.get(path, authorization === undefined ? {} : { authorization });
      if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${text}`);
      return text;
    };
    try {
      const texts = await Promise.all(lists.map(async (path) => [path, await read(path)] as const));
      const keys = JSON.parse(await read('/local/v1/api-keys')) as { lastUsedAt: unknown }[];
      return {
        ...Object.fromEntries(texts),
        chunks: await read(`${jobs.path}/stream/${newestStream}`, reader.key),
        keys: JSON.stringify(keys.map((key) => ({ ...key, lastUsedAt: null }))),
        person: JSON.stringify(await graphqlData({ http, key: engine.key }, '{ myself { pubKey secrets { id } } }')),
      };
    } finally {
      http.stop();
    }
  }

  return {
    engine,
    secret,
    endpointId: endpoint.id,
    templateId: template.id,
    jobs,
    webhookId,
    volumeId,
    authId,
    worker,
    endedJob,
    delivered,
    state,
  };
}
