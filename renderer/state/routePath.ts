/** Addresses of the pages: a route as the part of the address after `#`, and back. */

export type Route =
  | { readonly page: 'run'; readonly endpointId: string | null }
  | { readonly page: 'jobs'; readonly entryId: string | null }
  | { readonly page: 'machine' };

export type PageName = Route['page'];

export function formatRoute(route: Route): string {
  if (route.page === 'machine') return '#/machine';
  const id = route.page === 'run' ? route.endpointId : route.entryId;
  return id === null ? `#/${route.page}` : `#/${route.page}/${encodeURIComponent(id)}`;
}

/** Anything that is not an address of ours leads to Run. */
export function parseRoute(hash: string): Route {
  const [, page, rawId] = /^#\/([a-z]+)(?:\/([^/]+))?$/.exec(hash) ?? [];
  const id = rawId === undefined ? null : decode(rawId);
  if (page === 'machine') return { page: 'machine' };
  if (page === 'jobs') return { page: 'jobs', entryId: id };
  return { page: 'run', endpointId: page === 'run' ? id : null };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape in a hand-written address.
    return null;
  }
}
