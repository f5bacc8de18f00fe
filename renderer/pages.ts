/** All pages, in order. The sidebar, the palette, the shortcuts, their sheet and the headings use this list. */
import {
  Box,
  CircleDollarSign,
  CircleUser,
  House,
  Layers,
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
import { withFont } from './ui/terminal/withFont.ts';
import { definePage, type PageEntry, type Pages, type ShellPage } from './ui/page/definePage.tsx';

const pages: Pages = {
  home: definePage({
    route: 'home',
    group: 'work',
    icon: House,
    load: () => import('./features/home/HomePage.tsx'),
  }),
  run: definePage({
    route: 'run',
    group: 'work',
    icon: Play,
    load: () => import('./features/run/RunPage.tsx'),
  }),
  jobs: definePage({
    route: 'jobs',
    group: 'work',
    icon: List,
    load: () => import('./features/jobs/JobsPage.tsx'),
  }),
  endpoints: definePage({
    route: 'endpoints',
    group: 'work',
    icon: Layers,
    load: () => import('./features/endpoints/EndpointsPage.tsx'),
  }),
  pods: definePage({
    route: 'pods',
    group: 'machines',
    icon: Box,
    load: () => import('./features/pods/PodsPage.tsx'),
  }),
  terminals: definePage({
    route: 'terminals',
    group: 'machines',
    icon: SquareTerminal,
    load: () => withFont(() => import('./features/terminals/TerminalsPage.tsx')),
  }),
  machine: definePage({
    route: 'machine',
    group: 'machines',
    icon: Monitor,
    load: () => import('./features/machine/MachinePage.tsx'),
  }),
  gpus: definePage({
    route: 'gpus',
    group: 'machines',
    icon: CircleDollarSign,
    load: () => import('./features/gpus/GpusPage.tsx'),
  }),
  resources: definePage({
    route: 'resources',
    group: 'library',
    icon: Library,
    load: () => import('./features/resources/ResourcesPage.tsx'),
  }),
  billing: definePage({
    route: 'billing',
    group: 'money',
    icon: ReceiptText,
    load: () => import('./features/billing/BillingPage.tsx'),
  }),
  accounts: definePage({
    route: 'accounts',
    group: 'hangar',
    icon: CircleUser,
    load: () => import('./features/accounts/AccountsPage.tsx'),
  }),
  settings: definePage({
    route: 'settings',
    group: 'hangar',
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
