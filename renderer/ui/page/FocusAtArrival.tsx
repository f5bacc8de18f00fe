/** Moves the keyboard focus with the page. Stands in the page's own boundary, so that its skeleton does not count. */
import { useEffect } from 'react';
import { useRoute } from '../../state/route.ts';
import { formatRoute, parseRoute, startOf, type Route } from '../../state/routePath.ts';
import { arriveAtPage } from '../keyboard/pageFocus.ts';

/** The route of which the page was shown last. With the first one a person begins at the top of the window. */
let last: Route = parseRoute(location.hash);

/** Whether the address names a tab, and not only the page: that of some pages begins with one of their tabs. */
function namesTab(route: Route): boolean {
  const address = formatRoute(route);
  return 'tab' in route && address !== formatRoute(startOf(route.page)) && address.endsWith(`/${route.tab}`);
}

export function FocusAtArrival() {
  const route = useRoute();
  useEffect(() => {
    const before = last;
    last = route;
    if (formatRoute(route) === formatRoute(before)) return;
    arriveAtPage({ isOtherPage: route.page !== before.page, namesTab: namesTab(route) });
  }, [route]);
  return null;
}
