/** Addresses of the pages: a route as the part of the address after `#`, and back. `pages.ts` has one page for each route. */

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

/** A route's parameters, and the segments of an address after the page's name that they are written as. */
interface Parameters<Params> {
  /** A segment that means nothing to the page stands for its default. */
  parse: (segments: readonly string[]) => Params;
  format: (params: Params) => readonly string[];
}

const parameters = <Params>(
  parse: (segments: readonly string[]) => Params,
  format: (params: Params) => readonly string[],
): Parameters<Params> => ({ parse, format });

const noParameters = parameters(
  (): object => ({}),
  () => [],
);

const present = (id: string | null): readonly string[] => (id === null ? [] : [id]);

const knownTab = <Tab extends string>(tabs: readonly [Tab, ...Tab[]], text: string | undefined): Tab =>
  tabs.find((tab) => tab === text) ?? tabs[0];

/** One entry for each page: its name is the first segment of its address. A first tab is the default and is not written. */
export const routes = {
  home: noParameters,
  run: parameters(
    ([id]): { readonly endpointId: string | null } => ({ endpointId: id ?? null }),
    ({ endpointId }) => present(endpointId),
  ),
  jobs: parameters(
    ([id]): { readonly entryId: string | null } => ({ entryId: id ?? null }),
    ({ entryId }) => present(entryId),
  ),
  endpoints: parameters(
    ([id, tab]): { readonly endpointId: string | null; readonly tab: EndpointTab } => ({
      endpointId: id ?? null,
      tab: knownTab(endpointTabs, tab),
    }),
    ({ endpointId, tab }) => inspected(endpointId, tab === endpointTabs[0] ? null : tab),
  ),
  pods: parameters(
    ([id, tab]): { readonly podId: string | null; readonly tab: PodTab } => ({
      podId: id ?? null,
      tab: knownTab(podTabs, tab),
    }),
    ({ podId, tab }) => inspected(podId, tab === podTabs[0] ? null : tab),
  ),
  /** `podId`: a terminal into it is opened, unless there is one. */
  terminals: parameters(
    ([id]): { readonly podId: string | null } => ({ podId: id ?? null }),
    ({ podId }) => present(podId),
  ),
  machine: noParameters,
  gpus: noParameters,
  /** `volumeId`: the volume whose files are shown, at `path` in it. */
  resources: parameters(
    ([tab, volumeId, path]): { readonly tab: ResourceTab; readonly volumeId: string | null; readonly path: string } =>
      tab === 'volumes' && volumeId !== undefined
        ? { tab, volumeId, path: path ?? '' }
        : { tab: knownTab(resourceTabs, tab), volumeId: null, path: '' },
    ({ tab, volumeId, path }) => [tab, ...present(volumeId), ...(path === '' ? [] : [path])],
  ),
  billing: noParameters,
  accounts: parameters(
    ([id]): { readonly accountId: string | null } => ({ accountId: id ?? null }),
    ({ accountId }) => present(accountId),
  ),
  settings: parameters(
    ([tab]): { readonly tab: SettingsTab } => ({ tab: knownTab(settingsTabs, tab) }),
    ({ tab }) => (tab === settingsTabs[0] ? [] : [tab]),
  ),
};

export type PageName = keyof typeof routes;
/** What the address says to a page besides its name. */
export type RouteParams<Name extends PageName> = ReturnType<(typeof routes)[Name]['parse']>;
export type RouteOf<Name extends PageName> = Readonly<{ page: Name }> & RouteParams<Name>;
export type Route = { [Name in PageName]: RouteOf<Name> }[PageName];

/** A page with the defaults of its parameters. */
export const startOf = (page: PageName): Route => ({ page, ...routes[page].parse([]) }) as Route;

/** The address of a route, with its `#`. */
export function formatRoute(route: Route): string {
  // Its entry is that of its own name, which the compiler does not follow.
  const { format } = routes[route.page] as Parameters<Route>;
  return `#/${[route.page, ...format(route).map(encodeURIComponent)].join('/')}`;
}

/** The route of an address. Anything that is not an address of ours leads to Run. */
export function parseRoute(hash: string): Route {
  const [root, name, ...segments] = hash.split('/');
  const page = (Object.keys(routes) as PageName[]).find((known) => known === name);
  if (root !== '#' || page === undefined) return startOf('run');
  const texts = segments.map(decode);
  // A broken escape ends what can be read of a hand-written address.
  const broken = texts.findIndex((text) => text === null || text === '');
  const whole = texts.slice(0, broken < 0 ? texts.length : broken).filter((text) => text !== null);
  return { page, ...routes[page].parse(whole) } as Route;
}

function inspected(id: string | null, tab: string | null): readonly string[] {
  return id === null ? [] : [id, ...present(tab)];
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
