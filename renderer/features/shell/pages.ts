/** The pages there are, in their order. */
import { List, Play, type LucideIcon } from 'lucide-react';
import type { PageName, Route } from '../../state/routePath.ts';

interface PageEntry {
  name: PageName;
  title: string;
  icon: LucideIcon;
  route: Route;
}

export const pages: readonly PageEntry[] = [
  { name: 'run', title: 'Run', icon: Play, route: { page: 'run', endpointId: null } },
  { name: 'jobs', title: 'Jobs', icon: List, route: { page: 'jobs', entryId: null } },
];
