/** The pages there are, in their order. */
import {
  Box,
  Boxes,
  CircleDollarSign,
  Library,
  List,
  Monitor,
  Play,
  ReceiptText,
  SquareTerminal,
  type LucideIcon,
} from 'lucide-react';
import type { PageName, Route } from '../../state/routePath.ts';

interface PageEntry {
  group: 'Work' | 'Machines' | 'Library' | 'Money';
  name: PageName;
  title: string;
  icon: LucideIcon;
  route: Route;
}

export const pages: readonly PageEntry[] = [
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
];
