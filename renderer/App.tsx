/** The root component: the shell with the pages. */
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useAccountsFeed, useKnownTarget } from './client/accounts.ts';
import { useCrashFeed } from './client/crashes.ts';
import { useEngineFeed } from './client/engine.ts';
import { useJobChangesFeed } from './client/jobs/jobChanges.ts';
import { queryClient } from './client/transport/orpc.ts';
import { PodFeeds } from './client/podFeeds.tsx';
import { useUpdatesFeed } from './client/updates.ts';
import { Shell } from './features/shell/Shell.tsx';
import { renderRoute, shellPages } from './pages.ts';
import { isDark, useAppearance } from './state/appearance.ts';
import { useRoute } from './state/route.ts';
import { Announcer } from './ui/primitives/announce.tsx';
import { ErrorBoundary } from './ui/primitives/ErrorBoundary.tsx';
import parts from './ui/theme/parts.module.css';
import { theme } from './ui/theme/theme.ts';
import { t } from './language/text.ts';

export function App() {
  const dark = useAppearance(isDark);
  return (
    <MantineProvider theme={theme} forceColorScheme={dark ? 'dark' : 'light'}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" autoClose={8000} limit={4} className={parts.notices ?? ''} />
        <Announcer />
        <Feeds />
        <PodFeeds />
        <Shell pages={shellPages}>
          <Page />
        </Shell>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Subscriptions that live as long as the page. */
function Feeds() {
  useEngineFeed();
  useCrashFeed();
  useJobChangesFeed();
  useAccountsFeed();
  useKnownTarget();
  useUpdatesFeed();
  return null;
}

function Page() {
  const route = useRoute();
  return (
    <ErrorBoundary what={t`This page`} of={route.page}>
      {renderRoute(route)}
    </ErrorBoundary>
  );
}
