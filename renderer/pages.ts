/** All pages, in order. The sidebar, the palette, the shortcuts, their sheet and the headings use this list. */
import {
  Box,
  Boxes,
  CircleDollarSign,
  CircleUser,
  House,
  Library,
  List,
  Monitor,
  Play,
  ReceiptText,
  Settings,
  SquareTerminal,
} from 'lucide-react';
import type { ReactElement } from 'react';
import type { PageName, RouteOf } from './state/routePath.ts';
import { definePage, type PageEntry, type Pages, type ShellPage } from './ui/page/definePage.tsx';

const pages: Pages = {
  home: definePage({
    route: 'home',
    group: 'Work',
    icon: House,
    load: () => import('./features/home/HomePage.tsx'),
  }),
  run: definePage({
    route: 'run',
    group: 'Work',
    icon: Play,
    load: () => import('./features/run/RunPage.tsx'),
  }),
  jobs: definePage({
    route: 'jobs',
    group: 'Work',
    icon: List,
    load: () => import('./features/jobs/JobsPage.tsx'),
  }),
  endpoints: definePage({
    route: 'endpoints',
    group: 'Work',
    icon: Boxes,
    load: () => import('./features/endpoints/EndpointsPage.tsx'),
  }),
  pods: definePage({
    route: 'pods',
    group: 'Machines',
    icon: Box,
    load: () => import('./features/pods/PodsPage.tsx'),
  }),
  terminals: definePage({
    route: 'terminals',
    group: 'Machines',
    icon: SquareTerminal,
    load: () => import('./features/terminals/TerminalsPage.tsx'),
  }),
  machine: definePage({
    route: 'machine',
    group: 'Machines',
    icon: Monitor,
    load: () => import('./features/machine/MachinePage.tsx'),
  }),
  gpus: definePage({
    route: 'gpus',
    group: 'Machines',
    icon: CircleDollarSign,
    load: () => import('./features/gpus/GpusPage.tsx'),
  }),
  resources: definePage({
    route: 'resources',
    group: 'Library',
    icon: Library,
    load: () => import('./features/resources/ResourcesPage.tsx'),
  }),
  billing: definePage({
    route: 'billing',
    group: 'Money',
    icon: ReceiptText,
    load: () => import('./features/billing/BillingPage.tsx'),
  }),
  accounts: definePage({
    route: 'accounts',
    group: 'Hangar',
    icon: CircleUser,
    load: () => import('./features/accounts/AccountsPage.tsx'),
  }),
  settings: definePage({
    route: 'settings',
    group: 'Hangar',
    icon: Settings,
    load: () => import('./features/settings/SettingsPage.tsx'),
  }),
};

/** The pages of the shell. */
export const shellPages: readonly ShellPage[] = Object.values(pages);

/** Renders the page of a route. */
export function renderRoute<Name extends PageName>(route: RouteOf<Name>): ReactElement {
  const page: PageEntry<Name> = pages[route.page];
  return page.render(route);
}
