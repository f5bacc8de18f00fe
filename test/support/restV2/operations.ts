/** Every operation of REST v2: served, or refused with these words because it has no meaning on one machine. */
const NO_CLUSTERS = /^A cluster joins several machines/;
const NO_DELEGATIONS = /^A delegation lets the cloud fetch images/;

export const operations: Readonly<Record<string, 'served' | RegExp>> = {
  'GET /account/ssh-keys': 'served',
  'PUT /account/ssh-keys': 'served',
  'GET /pods': 'served',
  'POST /pods': 'served',
  'GET /pods/{id}': 'served',
  'PATCH /pods/{id}': 'served',
  'DELETE /pods/{id}': 'served',
  'POST /pods/{id}/action': 'served',
  'GET /pods/{id}/logs': 'served',
  'GET /clusters': 'served',
  'POST /clusters': NO_CLUSTERS,
  'GET /clusters/{id}': NO_CLUSTERS,
  'PATCH /clusters/{id}': NO_CLUSTERS,
  'DELETE /clusters/{id}': NO_CLUSTERS,
  'GET /clusters/{id}/pods': NO_CLUSTERS,
  'GET /serverless': 'served',
  'POST /serverless': 'served',
  'GET /serverless/{id}': 'served',
  'PATCH /serverless/{id}': 'served',
  'DELETE /serverless/{id}': 'served',
  'GET /serverless/{id}/workers': 'served',
  'GET /serverless/{id}/releases': 'served',
  'GET /serverless/{id}/workers/{workerId}/logs': 'served',
  'GET /templates': 'served',
  'POST /templates': 'served',
  'GET /templates/{id}': 'served',
  'PATCH /templates/{id}': 'served',
  'DELETE /templates/{id}': 'served',
  'GET /network-volumes': 'served',
  'POST /network-volumes': 'served',
  'GET /network-volumes/{id}': 'served',
  'PATCH /network-volumes/{id}': 'served',
  'DELETE /network-volumes/{id}': 'served',
  'GET /registries': 'served',
  'POST /registries': 'served',
  'GET /registries/{id}': 'served',
  'DELETE /registries/{id}': 'served',
  'GET /registries/delegations': 'served',
  'POST /registries/delegations': NO_DELEGATIONS,
  'DELETE /registries/delegations/{id}': NO_DELEGATIONS,
  'GET /catalog/gpus': 'served',
  'GET /catalog/gpus/{id}': 'served',
  'GET /catalog/cpus': 'served',
  'GET /catalog/cpus/{id}': 'served',
  'GET /catalog/datacenters': 'served',
  'GET /catalog/datacenters/{id}': 'served',
  'GET /catalog/templates': 'served',
  'GET /billing': 'served',
  'GET /billing/pods': 'served',
  'GET /billing/serverless': 'served',
  'GET /billing/endpoints': 'served',
  'GET /billing/network-volumes': 'served',
  'GET /billing/clusters': 'served',
};

/** Which spec has them answered. */
const areas = { pods: /^\w+ \/pods/, endpoints: /^\w+ \/serverless/ };

/** What is served of an area, and was not among what was answered with success. */
export const unanswered = (area: keyof typeof areas | 'resources', succeeded: ReadonlySet<string>): string[] =>
  Object.entries(operations)
    .filter(([one, is]) => is === 'served' && !succeeded.has(one))
    .map(([one]) => one)
    .filter((one) => (area === 'resources' ? !Object.values(areas).some((of) => of.test(one)) : areas[area].test(one)));
