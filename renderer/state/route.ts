/** The current route. The address is its only source, so that links, reload, back and forward work. */
import { create } from 'zustand';
import { formatRoute, parseRoute, type Route } from './routePath.ts';

export const useRoute = create<Route>(() => parseRoute(location.hash));

window.addEventListener('hashchange', () => useRoute.setState(parseRoute(location.hash), true));

/** `replace` adds no step to the history: for changes that the page makes automatically. */
export function navigate(route: Route, { replace = false } = {}): void {
  const hash = formatRoute(route);
  if (hash === location.hash) return;
  if (replace) history.replaceState(null, '', hash);
  else history.pushState(null, '', hash);
  useRoute.setState(route, true);
}

window.addEventListener('popstate', () => useRoute.setState(parseRoute(location.hash), true));
