/** The pages there are, in their order. The sidebar, the palette, the shortcuts, their sheet and the headings follow from this list. */
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
import RunPage from './features/run/RunPage.tsx';
import type { PageName, RouteOf } from './state/routePath.ts';
import { definePage, withShortcuts, type PageEntry, type Pages, type ShellPage } from './ui/page/definePage.tsx';

const pages: Pages = {
  home: definePage({
    route: 'home',
    group: 'Work',
    title: 'Home',
    icon: House,
    key: 'Mod+Shift+H',
    load: () => import('./features/home/HomePage.tsx'),
  }),
  run: definePage({
    route: 'run',
    group: 'Work',
    title: 'Run',
    icon: Play,
    // A fresh start shows it, so it comes with the shell.
    load: () => Promise.resolve({ default: RunPage }),
  }),
  jobs: definePage({
    route: 'jobs',
    group: 'Work',
    title: 'Jobs',
    icon: List,
    load: () => import('./features/jobs/JobsPage.tsx'),
  }),
  endpoints: definePage({
    route: 'endpoints',
    group: 'Work',
    title: 'Endpoints',
    icon: Boxes,
    load: () => import('./features/endpoints/EndpointsPage.tsx'),
  }),
  pods: definePage({
    route: 'pods',
    group: 'Machines',
    title: 'Pods',
    icon: Box,
    load: () => import('./features/pods/PodsPage.tsx'),
  }),
  terminals: definePage({
    route: 'terminals',
    group: 'Machines',
    title: 'Terminals',
    icon: SquareTerminal,
    load: () => import('./features/terminals/TerminalsPage.tsx'),
  }),
  machine: definePage({
    route: 'machine',
    group: 'Machines',
    title: 'This computer',
    icon: Monitor,
    load: () => import('./features/machine/MachinePage.tsx'),
  }),
  gpus: definePage({
    route: 'gpus',
    group: 'Machines',
    title: 'GPU prices',
    icon: CircleDollarSign,
    load: () => import('./features/gpus/GpusPage.tsx'),
  }),
  resources: definePage({
    route: 'resources',
    group: 'Library',
    title: 'Resources',
    icon: Library,
    load: () => import('./features/resources/ResourcesPage.tsx'),
  }),
  billing: definePage({
    route: 'billing',
    group: 'Money',
    title: 'Billing',
    icon: ReceiptText,
    load: () => import('./features/billing/BillingPage.tsx'),
  }),
  accounts: definePage({
    route: 'accounts',
    group: 'Hangar',
    title: 'Accounts',
    icon: CircleUser,
    key: 'Mod+Shift+U',
    load: () => import('./features/accounts/AccountsPage.tsx'),
  }),
  settings: definePage({
    route: 'settings',
    group: 'Hangar',
    title: 'Settings',
    icon: Settings,
    key: 'Mod+,',
    load: () => import('./features/settings/SettingsPage.tsx'),
  }),
};

/** What the shell leads to, each with its shortcut. */
export const shellPages: readonly ShellPage[] = withShortcuts(Object.values(pages));

/** Draws the page of a route. */
export function renderRoute<Name extends PageName>(route: RouteOf<Name>): ReactElement {
  const page: PageEntry<Name> = pages[route.page];
  return page.render(route);
}
