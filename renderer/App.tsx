/** Puts the pages into the shell. */
import { Suspense } from 'react';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useAccountsFeed, useKnownTarget } from './client/accounts.ts';
import { useEngineFeed } from './client/engine.ts';
import { useJobChangesFeed } from './client/jobChanges.ts';
import { queryClient } from './client/transport/orpc.ts';
import { Shell } from './features/shell/Shell.tsx';
import RunPage from './features/run/RunPage.tsx';
import { isDark, useAppearance } from './state/appearance.ts';
import { useRoute } from './state/route.ts';
import { Announcer } from './ui/primitives/announce.tsx';
import { Boundary } from './ui/primitives/ErrorBoundary.tsx';
import { lazyPart } from './ui/primitives/lazyPart.ts';
import parts from './ui/theme/parts.module.css';
import { theme } from './ui/theme/theme.ts';

const EndpointsPage = lazyPart(() => import('./features/endpoints/EndpointsPage.tsx'));
const MachinePage = lazyPart(() => import('./features/machine/MachinePage.tsx'));
const PodsPage = lazyPart(() => import('./features/pods/PodsPage.tsx'));
const BillingPage = lazyPart(() => import('./features/billing/BillingPage.tsx'));
const GpusPage = lazyPart(() => import('./features/gpus/GpusPage.tsx'));
const ResourcesPage = lazyPart(() => import('./features/resources/ResourcesPage.tsx'));
const TerminalsPage = lazyPart(() => import('./features/terminals/TerminalsPage.tsx'));
const SettingsPage = lazyPart(() => import('./features/settings/SettingsPage.tsx'));
const AccountsPage = lazyPart(() => import('./features/accounts/AccountsPage.tsx'));
const HomePage = lazyPart(() => import('./features/home/HomePage.tsx'));
const JobsPage = lazyPart(() => import('./features/jobs/JobsPage.tsx'));

export function App() {
  const dark = useAppearance(isDark);
  return (
    <MantineProvider theme={theme} forceColorScheme={dark ? 'dark' : 'light'}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" autoClose={8000} limit={4} className={parts.notices ?? ''} />
        <Announcer />
        <Feeds />
        <Shell>
          <Page />
        </Shell>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The watches that live as long as the page. */
function Feeds() {
  useEngineFeed();
  useJobChangesFeed();
  useAccountsFeed();
  useKnownTarget();
  return null;
}

function Page() {
  const route = useRoute();
  return (
    <Boundary what="This page" of={route.page}>
      <Suspense fallback={null}>
        {route.page === 'run' && <RunPage endpointId={route.endpointId} />}
        {route.page === 'machine' && <MachinePage />}
        {route.page === 'endpoints' && <EndpointsPage endpointId={route.endpointId} tab={route.tab} />}
        {route.page === 'pods' && <PodsPage podId={route.podId} tab={route.tab} />}
        {route.page === 'billing' && <BillingPage />}
        {route.page === 'gpus' && <GpusPage />}
        {route.page === 'resources' && <ResourcesPage tab={route.tab} volumeId={route.volumeId} path={route.path} />}
        {route.page === 'terminals' && <TerminalsPage podId={route.podId} />}
        {route.page === 'home' && <HomePage />}
        {route.page === 'accounts' && <AccountsPage accountId={route.accountId} />}
        {route.page === 'settings' && <SettingsPage tab={route.tab} />}
        {route.page === 'jobs' && <JobsPage entryId={route.entryId} />}
      </Suspense>
    </Boundary>
  );
}
