/** The Home page: current work of every account, its cost, what needs a person, and ways to begin. */
import { Button, Kbd } from '@mantine/core';
import { Play } from 'lucide-react';
import { useAccounts } from '../../client/accounts.ts';
import { useLastKnownAt } from '../../client/away.ts';
import { usePodsOfAll } from '../../client/podsOfAll.ts';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { AsOf } from '../../ui/domain/StaleNotice.tsx';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { formatDay } from '../../ui/text/format.ts';
import page from '../../ui/theme/page.module.css';
import pieces from '../../ui/theme/pieces.module.css';
import { AttentionCard } from './AttentionCard.tsx';
import { EndpointsCard } from './EndpointsCard.tsx';
import { Guide } from './Guide.tsx';
import styles from './home.module.css';
import { MachineCard } from './MachineCard.tsx';
import { RecentCard } from './RecentCard.tsx';
import { SpendingCard } from './SpendingCard.tsx';
import { activeOf } from './spending.ts';
import { SummaryTiles } from './SummaryTiles.tsx';
import { useLastJobs } from './useLastJobs.ts';
import { t } from '../../language/text.ts';

const MINUTE_MS = 60_000;

export default function HomePage() {
  const accounts = useAccounts();
  const pods = usePodsOfAll(accounts ?? []);
  const last = useLastJobs();
  const lastKnownAt = useLastKnownAt('engine');
  const run = () => navigate({ page: 'run', endpointId: null });
  useCommands([{ label: t`New run`, keys: 'N', run }]);
  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        <span className={page.count}>{formatDay(useNow(MINUTE_MS))}</span>
        <Button
          className={page.create ?? ''}
          leftSection={<Play size={13} fill="currentColor" aria-hidden />}
          rightSection={<Kbd aria-hidden>N</Kbd>}
          onClick={run}
        >{t`New run`}</Button>
      </header>
      <div className={styles.body} tabIndex={0} role="region" aria-label={t`Overview`}>
        <Guide hasJobs={last.entries?.some(({ jobId }) => jobId !== null)}>
          {lastKnownAt !== null && <AsOf at={lastKnownAt} />}
          <div className={lastKnownAt === null ? undefined : pieces.lastKnown}>
            <SummaryTiles accounts={accounts} pods={pods} />
          </div>
          <div className={`${styles.columns} ${pieces.inOrder}`}>
            <div className={`${styles.column} ${pieces.inOrder}`}>
              <AttentionCard accounts={accounts} pods={pods} />
              <RecentCard last={last} hasAccounts={accounts !== undefined && accounts.length > 1} />
            </div>
            <div className={`${styles.column} ${pieces.inOrder}`}>
              <MachineCard />
              <EndpointsCard />
              {/* The tiles say it all for a single account without running Pods. */}
              {accounts && (accounts.length > 1 || pods.some(({ rows }) => activeOf(rows ?? []).length > 0)) && (
                <SpendingCard pods={pods} known />
              )}
            </div>
          </div>
        </Guide>
      </div>
    </div>
  );
}
