/** What wants a person, each with the way to where something can be done about it. */
import { Button, Skeleton } from '@mantine/core';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import type { PodsOfAccount } from '../../client/podsOfAll.ts';
import { navigate } from '../../state/route.ts';
import { chooseAccount } from '../../state/selection.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { accountConcerns, fadingConcerns, jobConcerns, podConcerns, type Concern } from './attention.ts';
import styles from './home.module.css';
import type { LastJobs } from './useLastJobs.ts';
import { useLastResults } from './useLastResults.ts';

const icons = { bad: CircleAlert, wait: TriangleAlert, off: Info };
const TICK_MS = 15_000;
const ranks = { bad: 0, wait: 1, off: 2 };

interface AttentionCardProps {
  accounts: readonly Account[] | undefined;
  pods: readonly PodsOfAccount[];
  last: LastJobs;
}

export function AttentionCard({ accounts, pods, last }: AttentionCardProps) {
  const now = useNow(TICK_MS);
  const results = useLastResults();
  const concerns: Concern[] = [
    ...accountConcerns(accounts ?? []),
    ...pods.flatMap(({ account, rows }) => podConcerns(account, rows ?? [])),
    ...jobConcerns(last.entries ?? []),
    ...fadingConcerns(accounts ?? [], results, now),
  ].toSorted((one, other) => ranks[one.tone] - ranks[other.tone]);
  const isKnown = accounts !== undefined && (last.entries !== undefined || last.problem !== null);
  return (
    <Card aria-label="Needs attention" role="region">
      <div className={styles.cardHead}>
        <h2>Needs attention</h2>
        {concerns.length > 0 && <span className={styles.quiet}>{concerns.length}</span>}
      </div>
      {!isKnown && <Skeleton h={12} w="50%" radius={4} m={14} />}
      {isKnown && concerns.length === 0 && <p className={styles.nothing}>Nothing needs you now.</p>}
      <ul className={styles.list}>
        {concerns.map(({ id, tone, title, text, accountId, route, action }) => {
          const Icon = icons[tone];
          return (
            <li key={id}>
              <Icon size={15} aria-hidden className={styles.icon} data-tone={tone} />
              <div className={styles.about}>
                <b>{title}</b>
                <span>{text}</span>
              </div>
              <Button
                size="xs"
                variant="default"
                aria-label={`${action}: ${title}`}
                onClick={() => {
                  if (accountId !== null) chooseAccount(accountId);
                  navigate(route);
                }}
              >
                {action}
              </Button>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
