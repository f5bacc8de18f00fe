/** The root component: the shell with the pages. */
import { MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useAccountsFeed, useKnownTarget } from './client/accounts.ts';
import { ChangeFeeds } from './client/changes/ChangeFeeds.tsx';
import { SampleFeeds } from './client/changes/SampleFeeds.tsx';
import { useCrashFeed } from './client/crashes.ts';
import { useEngineFeed } from './client/engine.ts';
import { useJobChangesFeed } from './client/jobs/jobChanges.ts';
import { useShowsNotices } from './client/notices/browserNotices.ts';
import { queryClient } from './client/transport/orpc.ts';
import { useUpdatesFeed } from './client/updates.ts';
import { Shell } from './features/shell/Shell.tsx';
import { renderRoute, shellPages } from './pages.ts';
import { isDark, useAppearance } from './state/appearance.ts';
import { useRoute } from './state/route.ts';
import { Announcer } from './ui/primitives/announce.tsx';
import { ErrorBoundary } from './ui/primitives/ErrorBoundary.tsx';
import { deferredPart, useDeferredStarted } from './ui/page/deferredPart.ts';
import { theme } from './ui/theme/theme.ts';
import { useRemovedJobs } from './ui/undo/removedJobs.ts';
import { t } from './language/text.ts';

const NoticeList = deferredPart(() => import('./ui/page/NoticeList.tsx'), { isNeeded: true });
const NoticeFeeds = deferredPart(() => import('./client/notices/NoticeFeeds.tsx'));
const TakeOverFeed = deferredPart(() => import('./client/saved/takeOver.ts'));

export function App() {
  const dark = useAppearance(isDark);
  return (
    <MantineProvider theme={theme} forceColorScheme={dark ? 'dark' : 'light'}>
      <QueryClientProvider client={queryClient}>
        <Notices />
        <Announcer />
        <Feeds />
        <TakeOverFeed />
        <BrowserNotices />
        <ChangeFeeds />
        <SampleFeeds />
        <Shell pages={shellPages}>
          <Page />
        </Shell>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The first notice may come before the part that shows it. */
function Notices() {
  const isDue = useDeferredStarted();
  const { notifications } = useNotifications();
  const isUsed = isDue || notifications.length > 0;
  return isUsed && <NoticeList />;
}

/** Subscriptions that live as long as the page. */
function Feeds() {
  useEngineFeed();
  useCrashFeed();
  useJobChangesFeed();
  useAccountsFeed();
  useKnownTarget();
  useUpdatesFeed();
  useRemovedJobs();
  return null;
}

function BrowserNotices() {
  const isShown = useShowsNotices();
  return isShown && <NoticeFeeds />;
}

function Page() {
  const route = useRoute();
  return (
    <ErrorBoundary what={t`This page`} of={route.page}>
      {renderRoute(route)}
    </ErrorBoundary>
  );
}
