/**
 * The routes of REST v2, as rows of the table of routes.ts. What has no meaning on one machine is refused to who may
 * ask for it.
 */
import { operations } from '../restV2/operations.ts';
import type { RouteCase, Values } from './routes.ts';
import type { World } from './world.ts';

const BASE = '/rest/v2';

let count = 0;
const name = (): string => `made by v2 ${++count}`;

const read = (more: Partial<RouteCase> = {}): RouteCase => ({ need: 'read', status: 200, ...more });
const write = (more: Partial<RouteCase> = {}): RouteCase => ({ need: 'all', status: 200, ...more });

async function madeAt({ engine }: World, path: string, body: object): Promise<Values> {
  const answer = await engine.http.post(BASE + path, body);
  if (answer.status !== 201) throw new Error(`${path} could not be made: ${answer.text}`);
  return { id: (answer.json as { id: string }).id };
}

const template = () => ({ name: name(), image: 'me/image' });
const volume = () => ({ name: name(), size: 10, dataCenter: 'EU-RO-1' });
const registry = () => ({ name: name(), username: 'u', password: 'p' });
const endpoint = () => ({
  name: name(),
  type: 'QUEUE',
  image: 'me/image',
  workers: { min: 0, max: 0 },
  cpu: [{ id: 'cpu3c', vcpuCount: 2 }],
  scaling: { type: 'QUEUE_DELAY', queueDelay: 4 },
});
const newOne = (path: string, body: () => object) => (world: World) => madeAt(world, path, body());

const ofEndpoint = ({ endpointId }: World): Values => ({ id: endpointId });
const nobody = (): Values => ({ id: 'nobody' });
/** There may be no containers here, so there are no Pods: who may is told so. */
const ofPod: RouteCase = write({ status: 404, make: nobody, changesNothing: true });

const served: Record<string, RouteCase> = {
  'GET /account/ssh-keys': read(),
  'PUT /account/ssh-keys': write({ body: () => ({ keys: [`ssh-ed25519 AAAA ${name().replaceAll(' ', '-')}`] }) }),
  'GET /pods': read(),
  'POST /pods': write({ status: 422, body: {}, changesNothing: true }),
  'GET /pods/{id}': read({ status: 404, make: nobody }),
  'PATCH /pods/{id}': { ...ofPod, body: { name: 'other' } },
  'DELETE /pods/{id}': ofPod,
  'POST /pods/{id}/action': { ...ofPod, body: { action: 'stop' } },
  'GET /pods/{id}/logs': read({ status: 404, make: nobody }),
  'GET /clusters': read(),
  'GET /serverless': read({ tellsSecrets: true }),
  'POST /serverless': write({ status: 201, body: endpoint }),
  'GET /serverless/{id}': read({ make: ofEndpoint, tellsSecrets: true }),
  'PATCH /serverless/{id}': write({ make: newOne('/serverless', endpoint), body: () => ({ name: name() }) }),
  'DELETE /serverless/{id}': write({ status: 204, make: newOne('/serverless', endpoint) }),
  'GET /serverless/{id}/workers': read({ make: ofEndpoint }),
  'GET /serverless/{id}/releases': read({ make: ofEndpoint }),
  // A wrong query is told to who may read, and ends what would have no end.
  'GET /serverless/{id}/workers/{workerId}/logs': read({
    status: 422,
    query: () => 'tail=x',
    make: ({ worker }) => ({ id: worker.endpointId, workerId: worker.workerId }),
  }),
  'GET /templates': read({ tellsSecrets: true }),
  'POST /templates': write({ status: 201, body: template }),
  'GET /templates/{id}': read({ make: ({ templateId }) => ({ id: templateId }), tellsSecrets: true }),
  'PATCH /templates/{id}': write({ make: newOne('/templates', template), body: () => ({ name: name() }) }),
  'DELETE /templates/{id}': write({ status: 204, make: newOne('/templates', template) }),
  'GET /network-volumes': read(),
  'POST /network-volumes': write({ status: 201, body: volume }),
  'GET /network-volumes/{id}': read({ make: ({ volumeId }) => ({ id: volumeId }) }),
  'PATCH /network-volumes/{id}': write({ make: newOne('/network-volumes', volume), body: () => ({ name: name() }) }),
  'DELETE /network-volumes/{id}': write({ status: 204, make: newOne('/network-volumes', volume) }),
  'GET /registries': read(),
  'POST /registries': write({ status: 201, body: registry }),
  'GET /registries/{id}': read({ make: ({ authId }) => ({ id: authId }) }),
  'DELETE /registries/{id}': write({ status: 204, make: newOne('/registries', registry) }),
  'GET /registries/delegations': read(),
  'GET /catalog/gpus': read(),
  'GET /catalog/gpus/{id}': read({ status: 404, make: nobody }),
  'GET /catalog/cpus': read(),
  'GET /catalog/cpus/{id}': read({ status: 404, make: nobody }),
  'GET /catalog/datacenters': read(),
  'GET /catalog/datacenters/{id}': read({ status: 404, make: nobody }),
  'GET /catalog/templates': read(),
  'GET /billing': read(),
  'GET /billing/pods': read(),
  'GET /billing/serverless': read(),
  'GET /billing/endpoints': read(),
  'GET /billing/network-volumes': read(),
  'GET /billing/clusters': read(),
};

const refused = Object.fromEntries(
  Object.entries(operations)
    .filter(([, is]) => is !== 'served')
    .map(([operation]): [string, RouteCase] => [
      operation,
      { need: operation.startsWith('GET ') ? 'read' : 'all', status: 501, make: nobody, changesNothing: true },
    ]),
);

/** By `METHOD path`, as the OpenAPI document of REST v2 writes it. */
export const restV2Routes: Readonly<Record<string, RouteCase>> = {
  [`GET ${BASE}/openapi.json`]: { need: 'nothing', status: 200 },
  ...Object.fromEntries(
    Object.entries({ ...served, ...refused }).map(([operation, row]) => [operation.replace(' /', ` ${BASE}/`), row]),
  ),
};
