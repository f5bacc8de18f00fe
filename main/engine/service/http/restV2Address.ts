/** Where REST v2 is. */

/** REST v2 has a base address of its own: `/v2` are the jobs. */
export const REST_V2_BASE = '/rest/v2';

/** What its paths begin with. A client that has the wrong base address asks for endpoints of these names. */
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
