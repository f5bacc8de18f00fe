/** Puts the pages into the shell. */
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useAccountsFeed, useKnownTarget } from './client/accounts.ts';
import { useEngineFeed } from './client/engine.ts';
import { useJobChangesFeed } from './client/jobChanges.ts';
import { queryClient } from './client/transport/orpc.ts';
import { Shell } from './features/shell/Shell.tsx';
import { renderRoute, shellPages } from './pages.ts';
import { isDark, useAppearance } from './state/appearance.ts';
import { useRoute } from './state/route.ts';
import { Announcer } from './ui/primitives/announce.tsx';
import { ErrorBoundary } from './ui/primitives/ErrorBoundary.tsx';
import parts from './ui/theme/parts.module.css';
import { theme } from './ui/theme/theme.ts';

export function App() {
  const dark = useAppearance(isDark);
  return (
    <MantineProvider theme={theme} forceColorScheme={dark ? 'dark' : 'light'}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" autoClose={8000} limit={4} className={parts.notices ?? ''} />
        <Announcer />
        <Feeds />
        <Shell pages={shellPages}>
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
    <ErrorBoundary what="This page" of={route.page}>
      {renderRoute(route)}
    </ErrorBoundary>
  );
}
