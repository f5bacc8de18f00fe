/** The address of REST v2. */

/** REST v2 has a base address of its own: `/v2` are the jobs. */
export const REST_V2_BASE = '/rest/v2';

/** The first words of its paths. A client with the wrong base address asks for endpoints of these names. */
export const REST_V2_NOUNS: ReadonlySet<string> = new Set([
  'account',
  'billing',
  'catalog',
  'clusters',
  'network-volumes',
  'pods',
  'registries',
  'serverless',
  'templates',
]);
