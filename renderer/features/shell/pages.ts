/** The pages there are, in their order. */
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
  type LucideIcon,
} from 'lucide-react';
import type { PageName, Route } from '../../state/routePath.ts';

interface PageEntry {
  group: 'Work' | 'Machines' | 'Library' | 'Money' | 'Hangar';
  name: PageName;
  title: string;
  icon: LucideIcon;
  route: Route;
  /** Keys that lead there from anywhere. */
  keys: string;
}

const entries: readonly Omit<PageEntry, 'keys'>[] = [
  { group: 'Work', name: 'home', title: 'Home', icon: House, route: { page: 'home' } },
  { group: 'Work', name: 'run', title: 'Run', icon: Play, route: { page: 'run', endpointId: null } },
  { group: 'Work', name: 'jobs', title: 'Jobs', icon: List, route: { page: 'jobs', entryId: null } },
  {
    group: 'Work',
    name: 'endpoints',
    title: 'Endpoints',
    icon: Boxes,
    route: { page: 'endpoints', endpointId: null, tab: 'overview' },
  },
  { group: 'Machines', name: 'pods', title: 'Pods', icon: Box, route: { page: 'pods', podId: null, tab: 'overview' } },
  {
    group: 'Machines',
    name: 'terminals',
    title: 'Terminals',
    icon: SquareTerminal,
    route: { page: 'terminals', podId: null },
  },
  { group: 'Machines', name: 'machine', title: 'This computer', icon: Monitor, route: { page: 'machine' } },
  { group: 'Machines', name: 'gpus', title: 'GPU prices', icon: CircleDollarSign, route: { page: 'gpus' } },
  {
    group: 'Library',
    name: 'resources',
    title: 'Resources',
    icon: Library,
    route: { page: 'resources', tab: 'templates', volumeId: null, path: '' },
  },
  { group: 'Money', name: 'billing', title: 'Billing', icon: ReceiptText, route: { page: 'billing' } },
  {
    group: 'Hangar',
    name: 'accounts',
    title: 'Accounts',
    icon: CircleUser,
    route: { page: 'accounts', accountId: null },
  },
  {
    group: 'Hangar',
    name: 'settings',
    title: 'Settings',
    icon: Settings,
    route: { page: 'settings', tab: 'general' },
  },
];

/** The pages of work are numbered; those round them have keys that other programs give them, too. */
const ownKeys: Partial<Record<PageName, string>> = { home: 'Mod+Shift+H', accounts: 'Mod+Shift+U', settings: 'Mod+,' };

const numbered = entries.filter(({ name }) => !(name in ownKeys));

export const pages: readonly PageEntry[] = entries.map((entry) => ({
  ...entry,
  keys: ownKeys[entry.name] ?? `Mod+${numbered.indexOf(entry) + 1}`,
}));
