/** Addresses of the pages: a route as the part of the address after `#`, and back. */

/** What the inspector of an endpoint shows. */
export const endpointTabs = ['overview', 'workers', 'logs', 'jobs', 'settings', 'json'] as const;
export type EndpointTab = (typeof endpointTabs)[number];

/** What the inspector of a Pod shows. */
export const podTabs = ['overview', 'logs', 'files', 'settings', 'json'] as const;
export type PodTab = (typeof podTabs)[number];

export const resourceTabs = ['templates', 'volumes', 'registries'] as const;
export type ResourceTab = (typeof resourceTabs)[number];

export const settingsTabs = ['general', 'storage', 'secrets', 'api-keys', 'limits', 'ssh'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'run'; readonly endpointId: string | null }
  | { readonly page: 'jobs'; readonly entryId: string | null }
  | { readonly page: 'endpoints'; readonly endpointId: string | null; readonly tab: EndpointTab }
  | { readonly page: 'pods'; readonly podId: string | null; readonly tab: PodTab }
  /** `podId`: a terminal into it is opened, unless there is one. */
  | { readonly page: 'terminals'; readonly podId: string | null }
  | { readonly page: 'machine' }
  | { readonly page: 'gpus' }
  | { readonly page: 'billing' }
  | { readonly page: 'accounts'; readonly accountId: string | null }
  | { readonly page: 'settings'; readonly tab: SettingsTab }
  | {
      readonly page: 'resources';
      readonly tab: ResourceTab;
      /** The volume that is looked into, at `path` in it. */
      readonly volumeId: string | null;
      readonly path: string;
    };

export type PageName = Route['page'];

/** Pages whose address is their name alone. */
const plainPages = ['home', 'machine', 'gpus', 'billing'] as const;
type PlainPage = (typeof plainPages)[number];
const isPlain = (route: Route): route is { page: PlainPage } => plainPages.some((name) => name === route.page);

export function formatRoute(route: Route): string {
  if (isPlain(route)) return `#/${route.page}`;
  if (route.page === 'settings') return route.tab === 'general' ? '#/settings' : `#/settings/${route.tab}`;
  if (route.page === 'resources') {
    const { tab, volumeId, path } = route;
    const parts = [tab, volumeId, path].filter((part) => part !== null && part !== '');
    return `#/resources/${parts.map((part) => encodeURIComponent(part ?? '')).join('/')}`;
  }
  if (route.page === 'endpoints' && route.endpointId !== null && route.tab !== 'overview') {
    return `#/endpoints/${encodeURIComponent(route.endpointId)}/${route.tab}`;
  }
  if (route.page === 'pods') {
    if (route.podId === null) return '#/pods';
    return `#/pods/${encodeURIComponent(route.podId)}${route.tab === 'overview' ? '' : `/${route.tab}`}`;
  }
  if (route.page === 'terminals') {
    return route.podId === null ? '#/terminals' : `#/terminals/${encodeURIComponent(route.podId)}`;
  }
  if (route.page === 'accounts') {
    return route.accountId === null ? '#/accounts' : `#/accounts/${encodeURIComponent(route.accountId)}`;
  }
  const id = route.page === 'jobs' ? route.entryId : route.endpointId;
  return id === null ? `#/${route.page}` : `#/${route.page}/${encodeURIComponent(id)}`;
}

/** Anything that is not an address of ours leads to Run. */
export function parseRoute(hash: string): Route {
  if (/^#\/resources(\/|$)/.test(hash)) return parseResources(hash.split('/').slice(2));
  const [, page, rawId, rawTab] = /^#\/([a-z]+)(?:\/([^/]+)(?:\/([a-z]+))?)?$/.exec(hash) ?? [];
  const id = rawId === undefined ? null : decode(rawId);
  const plain = plainPages.find((name) => name === page);
  if (plain !== undefined) return { page: plain };
  if (page === 'settings') return { page, tab: settingsTabs.find((tab) => tab === id) ?? 'general' };
  if (page === 'endpoints') {
    return { page, endpointId: id, tab: endpointTabs.find((tab) => tab === rawTab) ?? 'overview' };
  }
  if (page === 'pods') return { page, podId: id, tab: podTabs.find((tab) => tab === rawTab) ?? 'overview' };
  if (page === 'terminals') return { page, podId: id };
  if (page === 'accounts') return { page, accountId: id };
  if (page === 'jobs') return { page: 'jobs', entryId: id };
  return { page: 'run', endpointId: page === 'run' ? id : null };
}

function parseResources([rawTab, rawVolume, rawPath]: string[]): Route {
  const tab = resourceTabs.find((name) => name === rawTab) ?? 'templates';
  const volumeId = tab === 'volumes' && rawVolume !== undefined ? decode(rawVolume) : null;
  const path = volumeId !== null && rawPath !== undefined ? (decode(rawPath) ?? '') : '';
  return { page: 'resources', tab, volumeId, path };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape in a hand-written address.
    return null;
  }
}
