/** Every route of the service: the right that a key needs for it, and a request that uses the route. */
import { pathToFileURL } from 'node:url';
import { accepted, makeEndpoint } from '../resources/resources.ts';
import { restV2Routes } from './restV2Routes.ts';
import { makeKey, type World } from './world.ts';

/** The right that a key needs. `nothing`: keys are not checked. `optional`: none is needed, but a sent key must allow reading. */
export type Need = 'nothing' | 'optional' | 'read' | 'jobs' | 'all' | 'worker';

export type Values = Readonly<Record<string, string>>;

export interface RouteCase {
  readonly need: Need;
  /** The status of the answer to a caller who has the right. */
  readonly status: number;
  /** Makes what the request is about; parameters of the path, and of the query and the body. */
  make?(world: World): Promise<Values> | Values;
  readonly query?: (values: Values) => string;
  readonly body?: object | string | ((values: Values) => object);
  /** Reading takes what is read away from other readers. */
  readonly consumes?: true;
  /** It changes something although it needs no key. */
  readonly changes?: true;
  /** Nothing that can be seen from outside is changed by it. */
  readonly changesNothing?: true;
  /** Takes the change back. */
  undo?(world: World): Promise<unknown>;
  /** Its answer contains variables, credentials or addresses of webhooks. */
  readonly tellsSecrets?: true;
  /** Its answer has parts that are masked for every key. */
  readonly masksForAll?: true;
}

const made = async ({ engine }: World, path: string, body: object): Promise<string> =>
  (accepted(await engine.http.post(path, body)) as { id: string }).id;

let count = 0;
const name = (): string => `made ${++count}`;

const read = (more: Partial<RouteCase> = {}): RouteCase => ({ need: 'read', status: 200, ...more });
const write = (more: Partial<RouteCase> = {}): RouteCase => ({ need: 'all', status: 200, ...more });

export const newTemplate = async (world: World): Promise<Values> => ({
  templateId: await made(world, '/v1/templates', { name: name(), imageName: 'me/image', isServerless: true }),
});
export const newEndpoint = async ({ engine }: World): Promise<Values> => {
  const { endpoint } = await makeEndpoint(engine, {}, { endpoint: { workersMax: 0 } });
  return { endpointId: endpoint.id };
};
const newVolumeBody = () => ({ name: name(), size: 1, dataCenterId: 'EU-RO-1' });
export const newVolume = async (world: World): Promise<Values> => {
  const id = await made(world, '/v1/networkvolumes', newVolumeBody());
  return { networkVolumeId: id, id };
};
export const newAuth = async (world: World): Promise<Values> => ({
  containerRegistryAuthId: await made(world, '/v1/containerregistryauth', {
    name: name(),
    username: 'u',
    password: 'p',
  }),
});
const newKey = async ({ engine }: World): Promise<Values> => ({ id: (await makeKey(engine, {})).id });
const queuedJob = async ({ jobs, endpointId }: World): Promise<Values> => ({ endpointId, jobId: await jobs.run({}) });
const volumeOf = ({ volumeId }: World): Values => ({ id: volumeId });
const nobody = (): Values => ({ id: 'nobody', podId: 'nobody', workerId: 'nobody' });

/** A job that the worker has, so that it can be told of it. */
async function jobOfWorker(world: World): Promise<Values> {
  const { endpointId, workerId } = world.worker;
  await made(world, `/v2/${endpointId}/run`, { input: {} });
  const taken = await world.engine.http.get(`/v2/${endpointId}/job-take/${workerId}?gpu=none`);
  return { endpointId, workerId, jobId: (accepted(taken) as { id: string }).id };
}
async function jobForWorker(world: World): Promise<Values> {
  const { endpointId, workerId } = world.worker;
  await made(world, `/v2/${endpointId}/run`, { input: {} });
  return { endpointId, workerId };
}
const asWorker = ({ worker }: World): Values => ({ endpointId: worker.endpointId, workerId: worker.workerId });
const ofEndpoint = ({ endpointId }: World): Values => ({ endpointId });
const endedJob = async (world: World): Promise<Values> => ({
  endpointId: world.endpointId,
  jobId: await world.endedJob({ output: 1 }, { chunks: [1] }),
});

const document: RouteCase = { need: 'nothing', status: 200 };
const both = (method: string, path: string, route: RouteCase): Record<string, RouteCase> => ({
  [`GET ${path}`]: route,
  [`${method} ${path}`]: route,
});

const job = '/v2/{endpointId}';
const jobRoutes: Record<string, RouteCase> = {
  'GET /v2/openapi.json': document,
  [`POST ${job}/run`]: { need: 'jobs', status: 200, make: ofEndpoint, body: { input: {} } },
  [`POST ${job}/runsync`]: {
    need: 'jobs',
    status: 200,
    make: ofEndpoint,
    body: { input: {} },
    query: () => 'wait=1000',
  },
  ...both('POST', `${job}/status/{jobId}`, read({ make: endedJob })),
  ...both('POST', `${job}/status-sync/{jobId}`, read({ make: endedJob })),
  ...both('POST', `${job}/stream/{jobId}`, read({ make: endedJob, consumes: true })),
  [`POST ${job}/cancel/{jobId}`]: { need: 'jobs', status: 200, make: queuedJob },
  [`POST ${job}/retry/{jobId}`]: {
    need: 'jobs',
    status: 200,
    make: async (world) => ({ endpointId: world.endpointId, jobId: await world.endedJob({ error: 'no' }) }),
  },
  [`POST ${job}/purge-queue`]: { need: 'jobs', status: 200, make: queuedJob },
  [`GET ${job}/requests`]: read({ make: ofEndpoint }),
  [`GET ${job}/health`]: read({ make: ofEndpoint }),
  // Without a path below it, it is refused, but only to who may use it.
  ...both('POST', `${job}/openai/{route}`, {
    need: 'jobs',
    status: 404,
    changesNothing: true,
    make: (world) => ({ ...ofEndpoint(world), route: '' }),
  }),
  [`GET ${job}/job-take/{workerId}`]: { need: 'worker', status: 200, make: jobForWorker },
  [`GET ${job}/job-take-batch/{workerId}`]: { need: 'worker', status: 200, make: jobForWorker },
  [`POST ${job}/job-done/{workerId}/{jobId}`]: { need: 'worker', status: 200, make: jobOfWorker, body: { output: 1 } },
  [`POST ${job}/job-stream/{workerId}/{jobId}`]: {
    need: 'worker',
    status: 200,
    make: jobOfWorker,
    body: { output: 1 },
    // Of a job that nobody looks at.
    changesNothing: true,
  },
  // Its own loop asks as well, and the newest asker gets the place of the one before.
  [`GET ${job}/job-stop/{workerId}`]: { need: 'worker', status: 204, make: asWorker, changesNothing: true },
  [`GET ${job}/ping/{workerId}`]: { need: 'worker', status: 200, make: asWorker, changesNothing: true },
};
// The endpoint has a queue, which is said to who may send to it.
for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
  jobRoutes[`${method} /lb/{endpointId}/{path}`] = {
    need: 'jobs',
    status: 400,
    changesNothing: true,
    make: (world) => ({ ...ofEndpoint(world), path: 'any' }),
  };
}

/** PATCH, and its synonym. */
const updates = (path: string, make: NonNullable<RouteCase['make']>, body: () => object): Record<string, RouteCase> =>
  Object.fromEntries([`PATCH ${path}`, `POST ${path}/update`].map((at) => [at, write({ make, body })]));

const template = '/v1/templates/{templateId}';
const endpoint = '/v1/endpoints/{endpointId}';
const volume = '/v1/networkvolumes/{networkVolumeId}';
const auth = '/v1/containerregistryauth/{containerRegistryAuthId}';
/** There may be no containers here, so there are no Pods: who may is told so. */
const ofPod = (status = 404): RouteCase => write({ status, make: nobody, changesNothing: true });

const managementRoutes: Record<string, RouteCase> = {
  'GET /v1/openapi.json': document,
  'GET /v1/docs': document,
  'GET /v1/templates': read({ query: () => 'includeEndpointBoundTemplates=true', tellsSecrets: true }),
  [`GET ${template}`]: read({ make: ({ templateId }) => ({ templateId }), tellsSecrets: true }),
  'POST /v1/templates': write({ body: () => ({ name: name(), imageName: 'me/image' }) }),
  ...updates(template, newTemplate, () => ({ readme: name() })),
  [`DELETE ${template}`]: write({ status: 204, make: newTemplate }),
  'GET /v1/endpoints': read({ query: () => 'includeTemplate=true&includeWorkers=true', tellsSecrets: true }),
  [`GET ${endpoint}`]: read({ make: ofEndpoint, query: () => 'includeTemplate=true', tellsSecrets: true }),
  'POST /v1/endpoints': write({ make: newTemplate, body: ({ templateId }) => ({ templateId, workersMax: 0 }) }),
  ...updates(endpoint, newEndpoint, () => ({ name: name() })),
  [`DELETE ${endpoint}`]: write({ status: 204, make: newEndpoint }),
  'GET /v1/networkvolumes': read(),
  [`GET ${volume}`]: read({ make: ({ volumeId }) => ({ networkVolumeId: volumeId }) }),
  'POST /v1/networkvolumes': write({ body: newVolumeBody }),
  ...updates(volume, newVolume, () => ({ name: name() })),
  [`DELETE ${volume}`]: write({ status: 204, make: newVolume }),
  'GET /v1/containerregistryauth': read(),
  [`GET ${auth}`]: read({ make: ({ authId }) => ({ containerRegistryAuthId: authId }) }),
  'POST /v1/containerregistryauth': write({ body: () => ({ name: name(), username: 'u', password: 'p' }) }),
  [`DELETE ${auth}`]: write({ status: 204, make: newAuth }),
  'GET /v1/pods': read({ query: () => 'includeWorkers=true&includeTemplate=true', tellsSecrets: true }),
  'GET /v1/pods/{podId}': read({
    make: ({ worker }) => ({ podId: worker.workerId }),
    query: () => 'includeWorkers=true&includeTemplate=true',
    tellsSecrets: true,
  }),
  'POST /v1/pods': { ...ofPod(400), body: {} },
  'PATCH /v1/pods/{podId}': { ...ofPod(), body: { name: 'other' } },
  'POST /v1/pods/{podId}/update': { ...ofPod(), body: { name: 'other' } },
  'POST /v1/pods/{podId}/start': ofPod(),
  'POST /v1/pods/{podId}/stop': ofPod(),
  'POST /v1/pods/{podId}/restart': ofPod(),
  'POST /v1/pods/{podId}/reset': ofPod(),
  'DELETE /v1/pods/{podId}': ofPod(),
  'GET /v1/billing/pods': read(),
  'GET /v1/billing/endpoints': read(),
  'GET /v1/billing/networkvolumes': read(),
};

/** Of the endpoint whose handler lies in a folder. */
const ofFolder = ({ endpointId }: World): Values => ({ id: endpointId });
/** One of its own for what makes something of it in a while. */
const ofOtherFolder = async (world: World): Promise<Values> => ({ id: (await newEndpoint(world))['endpointId'] ?? '' });

const folderRoutes: Record<string, RouteCase> = {
  'POST /local/v1/folders': write({
    changesNothing: true,
    make: ({ engine }) => ({ folder: pathToFileURL(engine.dataDir).href }),
    body: ({ folder }) => ({ imageName: folder }),
  }),
  'PUT /local/v1/endpoints/{id}/python': write({ make: ofOtherFolder, body: { python: '/usr/bin/python3' } }),
  'GET /local/v1/endpoints/{id}/input': write({ make: ofOtherFolder, changesNothing: true }),
  'GET /local/v1/endpoints/{id}/environment': read({ make: ofFolder }),
  // Its folder calls for no environment, and has no tests: who may is told so.
  'POST /local/v1/endpoints/{id}/environment': write({ status: 400, make: ofOtherFolder, changesNothing: true }),
  // Nothing of the kind is under way.
  'DELETE /local/v1/endpoints/{id}/environment': write({ status: 409, make: ofOtherFolder, changesNothing: true }),
  'GET /local/v1/endpoints/{id}/check': read({ make: ofFolder }),
  'POST /local/v1/endpoints/{id}/check': write({ status: 400, make: ofOtherFolder, changesNothing: true }),
  'DELETE /local/v1/endpoints/{id}/check': write({ status: 409, make: ofOtherFolder, changesNothing: true }),
};

const files = '/local/v1/volumes/{id}/files';
const podFiles = '/local/v1/pods/{podId}/files';
/** Reading needs a full key, too: the files of a container hold secrets of its Pod. */
const inContainer = (more: Partial<RouteCase> = {}): RouteCase =>
  write({ status: 404, make: nobody, changesNothing: true, query: () => 'path=file', ...more });
const ofContainer: Record<string, RouteCase> = {
  [`GET ${podFiles}`]: inContainer(),
  [`GET ${podFiles}/content`]: inContainer(),
  [`PUT ${podFiles}/content`]: inContainer({ body: 'text' }),
  [`DELETE ${podFiles}/content`]: inContainer(),
  [`POST ${podFiles}/folder`]: inContainer({ query: () => '', body: { path: 'folder' } }),
  [`POST ${podFiles}/move`]: inContainer({ query: () => '', body: { from: 'one', to: 'other' } }),
};
const localRoutes: Record<string, RouteCase> = {
  'GET /health': document,
  'GET /local/v1/openapi.json': document,
  // What it needs is decided by the operation: graphql.ts has each.
  'POST /graphql': { need: 'optional', status: 200, body: { query: '{ __typename }' } },
  'GET /local/v1/engine': read(),
  'GET /local/v1/machine': read(),
  'GET /local/v1/machine/events': read({ status: 400, query: () => 'after=x' }),
  'GET /local/v1/images': read(),
  // Another name than that of an image: nothing is pulled.
  'POST /local/v1/images': write({ status: 400, changesNothing: true, body: { name: 'NO IMAGE' } }),
  'GET /local/v1/images/pulls': read(),
  'GET /local/v1/images/pulls/events': read({ status: 400, query: () => 'after=x' }),
  'DELETE /local/v1/images/pulls/{pullId}': write({
    status: 404,
    changesNothing: true,
    make: () => ({ pullId: 'none' }),
  }),
  'DELETE /local/v1/images': write({
    // Where there is no container engine, each name is a 503; no name is a 400 everywhere.
    status: 400,
    changesNothing: true,
    query: () => 'name=',
  }),
  'GET /local/v1/disk': read(),
  'GET /local/v1/gpus/history': read(),
  'GET /local/v1/machine/history': read(),
  'GET /local/v1/workers': read(),
  'GET /local/v1/workers/events': read({ status: 400, query: () => 'after=x' }),
  'GET /local/v1/workers/lanes': read({ make: ofEndpoint, query: ({ endpointId }) => `endpointId=${endpointId}` }),
  'GET /local/v1/endpoints': read(),
  'GET /local/v1/endpoints/metrics': read(),
  'GET /local/v1/endpoints/{id}/metrics': read({ make: ({ endpointId }) => ({ id: endpointId }) }),
  'GET /local/v1/endpoints/{id}/queue': read({ make: ({ endpointId }) => ({ id: endpointId }) }),
  'GET /local/v1/jobs/{id}': read({ make: async ({ jobs }) => ({ id: await jobs.run({}) }) }),
  'GET /local/v1/jobs/{id}/chunks': read({ make: async ({ jobs }) => ({ id: await jobs.run({}) }) }),
  'GET /local/v1/jobs': write({ query: () => 'reader=a-reader', changesNothing: true, tellsSecrets: true }),
  'GET /local/v1/jobs/{id}/request': write({
    make: async ({ jobs }) => ({ id: await jobs.run({}) }),
    changesNothing: true,
  }),
  'GET /local/v1/logs': read(),
  // A wrong query is told to who may read, and ends what would have no end.
  'GET /local/v1/logs/events': read({ status: 400, query: () => 'after=x' }),
  'GET /local/v1/changes': read({ status: 400, query: () => 'after=x' }),
  'GET /local/v1/pods/events': read({ status: 400, query: () => 'after=x' }),
  'GET /local/v1/pods/{podId}': read({ status: 404, make: nobody }),
  'PATCH /local/v1/pods/{podId}/auto-stop': { ...ofPod(), body: { idleMinutes: 30 } },
  'PATCH /local/v1/pods/{podId}/limits': { ...ofPod(), body: { memoryInGb: 1 } },
  'GET /local/v1/pods/{podId}/events': read({ status: 404, make: nobody }),
  'GET /local/v1/pods/{podId}/metrics': read({ status: 404, make: nobody }),
  'GET /local/v1/pods/{podId}/ports/{port}/check': read({ status: 404, make: nobody }),
  'GET /local/v1/pods/{podId}/ssh': read({ status: 404, make: nobody }),
  'GET /local/v1/pods/{podId}/logs': read({ status: 404, make: nobody }),
  'GET /local/v1/pods/{podId}/logs/events': read({ status: 404, make: nobody }),
  // Without the change to a WebSocket, which is told to who may.
  'GET /local/v1/pods/{podId}/terminal': write({ status: 400, make: nobody, changesNothing: true }),
  'GET /local/v1/pods/{podId}/ports/{port}/connect': write({ status: 400, make: nobody, changesNothing: true }),
  'GET /local/v1/workers/{workerId}/terminal': write({ status: 400, make: nobody, changesNothing: true }),
  'GET /local/v1/set-aside': read(),
  'GET /local/v1/webhooks': read({ tellsSecrets: true, masksForAll: true }),
  'GET /local/v1/webhooks/{id}': read({
    make: ({ webhookId }) => ({ id: webhookId }),
    tellsSecrets: true,
    masksForAll: true,
  }),
  'POST /local/v1/webhooks/{id}/redeliver': {
    need: 'jobs',
    status: 200,
    make: ({ webhookId }) => ({ id: webhookId }),
    undo: (world) => world.delivered(),
    tellsSecrets: true,
    masksForAll: true,
  },
  'GET /local/v1/volumes': read(),
  [`GET ${files}`]: read({ make: volumeOf }),
  [`GET ${files}/events`]: read({ status: 400, make: volumeOf, query: () => 'after=x' }),
  [`GET ${files}/content`]: read({ make: volumeOf, query: () => 'path=file' }),
  [`PUT ${files}/content`]: write({
    make: (world) => ({ ...volumeOf(world), path: name() }),
    query: inPath,
    body: 'text',
  }),
  [`DELETE ${files}/content`]: write({ status: 204, make: newFile, query: inPath }),
  [`POST ${files}/folder`]: write({ make: volumeOf, body: () => ({ path: name() }) }),
  [`POST ${files}/move`]: write({ make: newFile, body: ({ path }) => ({ from: path, to: name() }) }),
  ...ofContainer,
  'GET /local/v1/pause': read(),
  'POST /local/v1/pause': write({ body: { when: 'after-job' }, undo: resume }),
  'DELETE /local/v1/pause': write({
    make: async ({ engine }) => {
      accepted(await engine.http.post('/local/v1/pause', { when: 'after-job' }));
      return {};
    },
    undo: resume,
  }),
  'POST /local/v1/jobs/{id}/move': write({
    async make({ jobs }) {
      const [before, id] = [await jobs.run({}), await jobs.run({})];
      return { before, id };
    },
    body: ({ before }) => ({ before }),
  }),
  // Nothing is set aside without a crash of the engine: who may is told so.
  'POST /local/v1/jobs/{id}/release': write({
    status: 400,
    changesNothing: true,
    make: async ({ jobs }) => ({ id: await jobs.run({}) }),
  }),
  'GET /local/v1/terminals': { need: 'all', status: 200, changesNothing: true },
  'GET /local/v1/terminals/{id}/programs': write({ status: 404, make: nobody, changesNothing: true }),
  'DELETE /local/v1/terminals/{id}': write({ status: 404, make: nobody, changesNothing: true }),
  'GET /local/v1/ssh': { need: 'all', status: 200, changesNothing: true },
  'GET /local/v1/settings': { need: 'all', status: 200, changesNothing: true },
  'PATCH /local/v1/settings': write({ body: () => ({ rates: { requestsPerWorker: 1000 + ++count } }) }),
  'GET /local/v1/api-keys': { need: 'all', status: 200, changesNothing: true },
  'POST /local/v1/api-keys': write({ body: { name: 'a key' } }),
  'POST /local/v1/pairing-codes': write({ changesNothing: true }),
  'POST /local/v1/pair': {
    need: 'nothing',
    status: 200,
    changes: true,
    async make({ engine }) {
      const { code } = accepted(await engine.http.post('/local/v1/pairing-codes', {})) as { code: string };
      return { code };
    },
    body: ({ code }) => ({ code, name: name() }),
  },
  'PATCH /local/v1/api-keys/{id}': write({ make: newKey, body: { disabled: true } }),
  'DELETE /local/v1/api-keys/{id}': write({ status: 204, make: newKey }),
};

function inPath({ path = '' }: Values): string {
  return `path=${encodeURIComponent(path)}`;
}

async function newFile(world: World): Promise<Values> {
  const values = { id: world.volumeId, path: name() };
  const at = `/local/v1/volumes/${values.id}/files/content?${inPath(values)}`;
  accepted(await world.engine.http.send('PUT', at, 'text'));
  return values;
}

async function resume({ engine }: World): Promise<void> {
  accepted(await engine.http.send('DELETE', '/local/v1/pause'));
}

/** By `METHOD path`, as the OpenAPI documents write it. */
export const routes: Readonly<Record<string, RouteCase>> = {
  ...jobRoutes,
  ...managementRoutes,
  ...restV2Routes,
  ...localRoutes,
  ...folderRoutes,
};

/** The same path asked for more. */
export const furtherRequests: Readonly<Record<string, RouteCase>> = {
  [`GET ${job}/status/{jobId}?ttl`]: {
    need: 'jobs',
    status: 200,
    changesNothing: true,
    make: queuedJob,
    query: () => 'ttl=600000',
  },
};
