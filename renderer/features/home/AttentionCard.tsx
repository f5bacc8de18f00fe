/** What needs a person, each with a button to its remedy. */
import { ActionIcon, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import { useState } from 'react';
import { testAccount } from '../../client/accounts.ts';
import { useAway } from '../../client/away.ts';
import type { PodsOfAccount } from '../../client/podsOfAll.ts';
import { usePriceAlerts } from '../../client/priceAlerts.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { areBeside } from '../../state/narrowWindow.ts';
import { useCommands } from '../../state/commands.ts';
import { noFilter, useJobsFilter } from '../../state/jobsFilter.ts';
import { navigate } from '../../state/route.ts';
import { targetAccount } from '../../state/selection.ts';
import { Unknown } from '../../ui/domain/LoadError.tsx';
import { Tip } from '../../ui/popover/Tip.tsx';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { offerUndo } from '../../ui/undo/offerUndo.tsx';
import pieces from '../../ui/theme/pieces.module.css';
import {
  accountConcerns,
  diskConcerns,
  expiringConcerns,
  failureConcerns,
  pausedConcerns,
  podConcerns,
  priceConcerns,
  SOON_MS,
  waitingConcerns,
  webhookConcerns,
  withAccountNames,
  type Concern,
} from './attention.ts';
import { dismissFailures, failuresSeen } from './homeSettings.ts';
import styles from './home.module.css';
import { useJobsToAttend } from './useJobsToAttend.ts';
import { t } from '../../language/text.ts';

const icons = { bad: CircleAlert, wait: TriangleAlert, off: Info };
/** Interval of the reads of the jobs that expire: they do so by time alone, without a change that could be reported. */
const TICK_MS = 15_000;
/** Interval of the reads of the free space. */
const DISK_MS = 60_000;
/** Of more than the most, the first few are shown until a person asks for all. */
const MOST = 6;
const FIRST = 5;
const ranks = { bad: 0, wait: 1, off: 2 };

interface AttentionCardProps {
  accounts: readonly Account[] | undefined;
  pods: readonly PodsOfAccount[];
}

export function AttentionCard({ accounts, pods }: AttentionCardProps) {
  const now = useNow(TICK_MS);
  const away = useAway();
  const target = targetAccount.use();
  const alerts = usePriceAlerts();
  const seen = failuresSeen.use();
  const [isAll, setAll] = useState(false);
  const { jobs, problem, retry } = useJobsToAttend(seen);
  const expiring = useQuery({
    ...orpc.jobs.expiring.queryOptions({ input: { withinMs: SOON_MS } }),
    refetchInterval: TICK_MS,
    retry: false,
  });
  const facts = useQuery({
    ...orpc.machine.facts.queryOptions({ input: { accountId: THIS_MACHINE } }),
    refetchInterval: useStatePollMs(THIS_MACHINE, DISK_MS, 'service'),
    retry: false,
  });
  // The status bar of every page reads it.
  const endpoints = useQuery({ ...orpc.endpoints.now.queryOptions({ input: { accountId: target } }), enabled: false });
  const paused = pausedConcerns(target, endpoints.data?.rows ?? []);
  const waiting = waitingConcerns(jobs?.waiting ?? []).filter(({ id }) => !paused.some((one) => one.id === id));
  const named = (some: readonly Concern[]) => withAccountNames(some, accounts ?? []);
  const concerns: Concern[] = [
    // What keeps everything else from working stands first.
    ...diskConcerns(facts.data),
    // The banner of the target says the same of it, with the same remedy.
    ...accountConcerns(accounts?.filter(({ id }) => away === null || id !== target) ?? []),
    ...pods.flatMap(({ account, rows }) => named(podConcerns(account, rows ?? []))),
    ...(jobs === undefined ? [] : named(failureConcerns(jobs, (key) => seen[key] ?? 0, now))),
    ...webhookConcerns(jobs?.undelivered ?? null, now),
    ...named([...paused, ...waiting]),
    ...expiringConcerns(accounts ?? [], expiring.data ?? []),
    ...priceConcerns(accounts ?? [], alerts),
  ].toSorted((one, other) => ranks[one.tone] - ranks[other.tone]);
  const isCut = !isAll && concerns.length > MOST;
  const shown = isCut ? concerns.slice(0, FIRST) : concerns;
  useCommands([isCut && { label: t`Show all that needs attention`, run: () => setAll(true) }]);
  const here = pods.find(({ account }) => account.id === THIS_MACHINE);
  // Other accounts may take long to answer. What this computer knows comes at once, so that nothing moves.
  const isKnown =
    accounts !== undefined &&
    (jobs !== undefined || problem !== null) &&
    !expiring.isPending &&
    !facts.isPending &&
    (here === undefined || here.rows !== undefined || here.problem !== null);
  return (
    <Card aria-label={t`Needs attention`} role="region" aria-busy={!isKnown || undefined}>
      <CardHead title={t`Needs attention`}>
        {isKnown && concerns.length > 0 && <span className={styles.badge}>{concerns.length}</span>}
      </CardHead>
      {problem !== null && (
        <Unknown
          source="app"
          title={t`The failed and the waiting jobs could not be counted.`}
          problem={problem}
          action={<Button size="xs" variant="default" onClick={retry}>{t`Try again`}</Button>}
        />
      )}
      {!isKnown && <Skeleton h={12} w="50%" radius={4} m={14} />}
      {isKnown && problem === null && concerns.length === 0 && (
        <p className={styles.nothing}>
          {away === null ? t`Nothing needs your attention.` : t`Nothing else needs your attention.`}
        </p>
      )}
      <ul className={styles.list}>{isKnown && shown.map((concern) => <Row key={concern.id} concern={concern} />)}</ul>
      {isKnown && isCut && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {t`Show all ${concerns.length}`}
        </button>
      )}
    </Card>
  );
}

function Row({
  concern: { tone, chip, title, text, accountId, route, narrowRoute, filter, action, dismisses },
}: {
  concern: Concern;
}) {
  const [isBusy, setBusy] = useState(false);
  const Icon = icons[tone];
  const act = () => {
    if (route === null) {
      setBusy(true);
      // The state of the account tells how it went.
      void testAccount(accountId ?? THIS_MACHINE).finally(() => setBusy(false));
      return;
    }
    if (filter) useJobsFilter.setState({ ...noFilter, ...filter }, true);
    else if (accountId !== null) targetAccount.set(accountId);
    navigate(areBeside() ? route : (narrowRoute ?? route));
  };
  const dismiss = () => {
    if (dismisses === undefined) return;
    offerUndo(t`Dismissed: ${title}`, dismissFailures(dismisses.key, dismisses.until ?? Date.now()));
  };
  useCommands([
    { label: `${action}: ${title}`, run: act },
    dismisses !== undefined && { label: t`Dismiss: ${title}`, run: dismiss },
  ]);
  return (
    <li className={styles.stated}>
      <span className={styles.chipColumn}>
        <span className={pieces.chip} data-tone={tone}>
          <Icon size={12} strokeWidth={2.4} aria-hidden className={pieces.chipIcon} />
          {chip}
        </span>
      </span>
      <div className={styles.about}>
        <b title={title}>{title}</b>
        <span className={styles.detail} title={text}>
          {text}
        </span>
      </div>
      <Button size="xs" variant="default" loading={isBusy} aria-label={`${action}: ${title}`} onClick={act}>
        {action}
      </Button>
      {dismisses !== undefined && (
        <Tip label={t`Dismiss these failures`}>
          <ActionIcon aria-label={t`Dismiss: ${title}`} onClick={dismiss}>
            <X size={14} aria-hidden />
          </ActionIcon>
        </Tip>
      )}
    </li>
  );
}
