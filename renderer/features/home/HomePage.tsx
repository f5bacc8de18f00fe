/** Home: what goes on in every account, what it costs, what wants a person, and how to begin. */
import { useAccounts } from '../../client/accounts.ts';
import { usePodsOfAll } from '../../client/podsOfAll.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import page from '../../ui/theme/page.module.css';
import { AttentionCard } from './AttentionCard.tsx';
import { Begin } from './Begin.tsx';
import styles from './home.module.css';
import { MachineCard } from './MachineCard.tsx';
import { NowCard } from './NowCard.tsx';
import { RecentCard } from './RecentCard.tsx';
import { SpendingCard } from './SpendingCard.tsx';
import { useLastJobs } from './useLastJobs.ts';

export default function HomePage() {
  const accounts = useAccounts();
  const pods = usePodsOfAll(accounts ?? []);
  const last = useLastJobs();
  const isFresh = accounts?.length === 1 && last.entries?.length === 0;
  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        {accounts && accounts.length > 1 && <span className={page.count}>all {accounts.length} accounts</span>}
      </header>
      <div className={styles.body} tabIndex={0} role="region" aria-label="What goes on">
        {isFresh && <Begin />}
        <div className={styles.columns}>
          <div className={styles.column}>
            <NowCard />
            <AttentionCard accounts={accounts} pods={pods} last={last} />
            <RecentCard last={last} />
          </div>
          <div className={styles.column}>
            <MachineCard />
            <SpendingCard pods={pods} known={accounts !== undefined} />
          </div>
        </div>
      </div>
    </div>
  );
}
