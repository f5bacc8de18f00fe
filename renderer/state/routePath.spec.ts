import { expect, it } from 'vitest';
import { formatRoute, parseRoute, routes, startOf, type PageName, type Route } from './routePath.ts';

const everyRoute: readonly Route[] = [
  ...(Object.keys(routes) as PageName[]).map(startOf),
  { page: 'run', endpointId: 'a/b c' },
  { page: 'run', endpointId: null, view: 'compare' },
  { page: 'jobs', entryId: 'e-1' },
  { page: 'endpoints', endpointId: 'e', tab: 'overview' },
  { page: 'endpoints', endpointId: 'e', tab: 'workers' },
  { page: 'pods', podId: 'p', tab: 'files' },
  { page: 'pods', podId: 'p', tab: 'files', path: 'a b/c.py' },
  { page: 'pods', podId: 'p', tab: 'files', path: 'a/' },
  { page: 'pods', podId: 'p', tab: 'files', path: '/etc/hosts' },
  { page: 'terminals', podId: 'p' },
  { page: 'accounts', accountId: 'a' },
  { page: 'accounts', accountId: 'a', asks: 'key' },
  { page: 'settings', tab: 'keys' },
  { page: 'resources', tab: 'registries', volumeId: null, path: '' },
  { page: 'resources', tab: 'volumes', volumeId: 'v', path: 'models/50 %/x' },
  { page: 'resources', tab: 'computer', volumeId: null, path: '' },
  { page: 'resources', tab: 'computer', volumeId: null, path: 'data/50 %/x' },
  { page: 'resources', tab: 'computer', volumeId: null, endpointId: 'e', path: '' },
  { page: 'resources', tab: 'computer', volumeId: null, endpointId: 'e', path: 'parts/50 %/x' },
];

it.each(everyRoute.map((route) => [formatRoute(route), route] as const))(
  '%s leads back to its route',
  (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  },
);

it('a default is not written into an address', () => {
  expect(formatRoute({ page: 'endpoints', endpointId: null, tab: 'logs' })).toBe('#/endpoints');
  expect(formatRoute({ page: 'pods', podId: 'p', tab: 'logs' })).toBe('#/pods/p');
  expect(formatRoute({ page: 'settings', tab: 'general' })).toBe('#/settings');
});

it.each(['', '#', '#/', '#/nowhere', '#/constructor', '#page', 'x/jobs'])(
  '%j, which is no address, leads to Run',
  (hash) => {
    expect(parseRoute(hash)).toEqual({ page: 'run', endpointId: null });
  },
);

it('an unknown tab and a broken escape stand for the default', () => {
  expect(parseRoute('#/settings/nothing')).toEqual({ page: 'settings', tab: 'general' });
  expect(parseRoute('#/pods/p/nothing')).toEqual({ page: 'pods', podId: 'p', tab: 'logs' });
  expect(parseRoute('#/jobs/%E0%A4%A')).toEqual({ page: 'jobs', entryId: null });
});

it('addresses of the two former pages of keys lead to the one that has both', () => {
  for (const tab of ['secrets', 'api-keys'])
    expect(parseRoute(`#/settings/${tab}`)).toEqual({ page: 'settings', tab: 'keys' });
});
