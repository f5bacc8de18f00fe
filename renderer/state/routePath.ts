/** Converts routes to addresses (the part after `#`) and back. `pages.ts` has one page for each route. */
import { keysOf } from '#contract/core/keysOf.ts';

/** The tabs of the inspector of an endpoint. */
export const endpointTabs = ['overview', 'metrics', 'workers', 'logs', 'jobs', 'settings', 'json'] as const;
export type EndpointTab = (typeof endpointTabs)[number];

/** The tabs of the inspector of a Pod. An account without logs of Pods begins with the overview. */
export const podTabs = ['logs', 'overview', 'metrics', 'events', 'terminal', 'files', 'settings', 'json'] as const;
export type PodTab = (typeof podTabs)[number];

/** The ways to run besides one input on one endpoint. */
export type RunView = 'batch' | 'compare';

export const resourceTabs = ['templates', 'volumes', 'images', 'registries', 'computer'] as const;
export type ResourceTab = (typeof resourceTabs)[number];

export const settingsTabs = ['general', 'desktop', 'storage', 'keys', 'limits', 'ssh', 'bucket'] as const;
export type SettingsTab = (typeof settingsTabs)[number];
/** Names of tabs in addresses of older versions. */
const formerTabs: Readonly<Record<string, SettingsTab>> = { secrets: 'keys', 'api-keys': 'keys' };

/** Converts a route's parameters to and from the segments of an address after the page's name. */
interface Parameters<Params> {
  /** An unknown segment means its default. */
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

/** In the place of an endpoint's id, which never has this sign. */
const COMPARE = '~compare';

/** In the place of the tab of files: the folder of a handler. */
const HANDLER = 'handler';

const present = (id: string | null): readonly string[] => (id === null ? [] : [id]);

const knownTab = <Tab extends string>(tabs: readonly [Tab, ...Tab[]], text: string | undefined): Tab =>
  tabs.find((tab) => tab === text) ?? tabs[0];

/**
 * One entry for each page: its name is the first segment of its address. The first tab is the default and is omitted.
 */
export const routes = {
  home: noParameters,
  /** `view`: another way to run the endpoint than one input, or the comparison of several endpoints in its place. */
  run: parameters(
    ([id, view]): { readonly endpointId: string | null; readonly view?: RunView } => {
      if (id === COMPARE) return { endpointId: null, view: 'compare' };
      return { endpointId: id ?? null, ...(view === 'batch' && { view }) };
    },
    ({ endpointId, view }) => (view === 'compare' ? [COMPARE] : inspected(endpointId, view ?? null)),
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
  /**
   * `path`: a file that the tab of files shows, or a folder if it ends with a slash. Where the Pod has a volume and a
   * container disk, a path that begins with a slash is on the container disk, and any other one in the volume.
   */
  pods: parameters(
    ([id, name, path]): { readonly podId: string | null; readonly tab: PodTab; readonly path?: string } => {
      const tab = knownTab(podTabs, name);
      return { podId: id ?? null, tab, ...(tab === 'files' && path !== undefined && { path }) };
    },
    ({ podId, tab, path }) => [
      ...inspected(podId, tab === podTabs[0] ? null : tab),
      ...(podId !== null && tab === 'files' && path !== undefined ? [path] : []),
    ],
  ),
  /** `podId`: opens a terminal into this Pod, unless there is one. */
  terminals: parameters(
    ([id]): { readonly podId: string | null } => ({ podId: id ?? null }),
    ({ podId }) => present(podId),
  ),
  machine: noParameters,
  gpus: noParameters,
  /** `volumeId`: the volume whose files are shown, at `path`. `endpointId`: in its place, the folder of its handler. */
  resources: parameters(
    ([tab, id, path]): {
      readonly tab: ResourceTab;
      readonly volumeId: string | null;
      readonly endpointId?: string;
      readonly path: string;
    } => {
      if (tab === 'volumes' && id !== undefined) return { tab, volumeId: id, path: path ?? '' };
      if (tab === HANDLER && id !== undefined)
        return { tab: 'computer', volumeId: null, endpointId: id, path: path ?? '' };
      if (tab === 'computer') return { tab, volumeId: null, path: id ?? '' };
      return { tab: knownTab(resourceTabs, tab), volumeId: null, path: '' };
    },
    ({ tab, volumeId, endpointId, path }) => [
      ...(endpointId === undefined ? [tab, ...present(volumeId)] : [HANDLER, endpointId]),
      ...(path === '' ? [] : [path]),
    ],
  ),
  billing: noParameters,
  /** `asks`: opens the dialog for another key of the account. */
  accounts: parameters(
    ([id, asks]): { readonly accountId: string | null; readonly asks?: 'key' } => ({
      accountId: id ?? null,
      ...(asks === 'key' && { asks }),
    }),
    ({ accountId, asks }) => inspected(accountId, asks ?? null),
  ),
  settings: parameters(
    ([tab]): { readonly tab: SettingsTab } => ({ tab: knownTab(settingsTabs, formerTabs[tab ?? ''] ?? tab) }),
    ({ tab }) => (tab === settingsTabs[0] ? [] : [tab]),
  ),
};

export type PageName = keyof typeof routes;
/** The parameters of a page. */
export type RouteParams<Name extends PageName> = ReturnType<(typeof routes)[Name]['parse']>;
export type RouteOf<Name extends PageName> = Readonly<{ page: Name }> & RouteParams<Name>;
export type Route = { [Name in PageName]: RouteOf<Name> }[PageName];

/** The route of a page with the segments of its address after the name. */
const routeOf = (page: PageName, segments: readonly string[]): Route =>
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the entry has the type of its own page
  ({ page, ...routes[page].parse(segments) }) as Route;

/** A page with default parameters. */
export const startOf = (page: PageName): Route => routeOf(page, []);

/** The address of a route, with its `#`. */
export function formatRoute(route: Route): string {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the entry has the type of its own page
  const { format } = routes[route.page] as Parameters<Route>;
  return `#/${[route.page, ...format(route).map(encodeURIComponent)].join('/')}`;
}

/** The route of an address. Any other text means Run. */
export function parseRoute(hash: string): Route {
  const [root, name, ...segments] = hash.split('/');
  const page = keysOf(routes).find((known) => known === name);
  if (root !== '#' || page === undefined) return startOf('run');
  const texts = segments.map(decode);
  // A hand-written address is read up to its first invalid escape.
  const broken = texts.findIndex((text) => text === null || text === '');
  const whole = texts.slice(0, broken < 0 ? texts.length : broken).filter((text) => text !== null);
  return routeOf(page, whole);
}

function inspected(id: string | null, tab: string | null): readonly string[] {
  return id === null ? [] : [id, ...present(tab)];
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // An invalid escape; the address is read up to it.
    return null;
  }
}
