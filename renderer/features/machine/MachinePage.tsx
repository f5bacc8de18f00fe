/** The page about this computer: its hardware, its work, and its rules. */
import { useEffect } from 'react';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { useAway } from '../../client/away.ts';
import { useEngine } from '../../client/engine.ts';
import { useSampleMs } from '../../client/changes/samples.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { knowPause, machineOptions, useHasMachine, usePause } from '../../client/machine.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { targetAccount } from '../../state/selection.ts';
import { accountInSentence, accountTitle } from '../../ui/text/accountName.ts';
import { BackLater } from '../../ui/domain/LoadError.tsx';
import { AsOf } from '../../ui/domain/StaleNotice.tsx';
import { ChartsSkeleton } from '../../ui/chart/ChartsSkeleton.tsx';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { formatMoment } from '../../ui/text/format.ts';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { DiskCard } from './service/DiskCard.tsx';
import { HandlersCard } from './service/HandlersCard.tsx';
import { LoadCard } from './load/LoadCard.tsx';
import { LogCard } from './LogCard.tsx';
import { MachineTitle } from './MachineTitle.tsx';
import load from './load/load.module.css';
import page from '../../ui/theme/page.module.css';
import pieces from '../../ui/theme/pieces.module.css';
import styles from './machine.module.css';
import { PauseBanner } from './pausing/PauseBanner.tsx';
import { PauseControl } from './pausing/PauseControl.tsx';
import { QueueCard } from './queue/QueueCard.tsx';
import { RulesCard } from './pausing/RulesCard.tsx';
import { RuntimesCard } from './service/RuntimesCard.tsx';
import { ServiceCard } from './service/ServiceCard.tsx';
import { WorkersCard } from './WorkersCard.tsx';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { t } from '../../language/text.ts';

/** Interval of the polls, only while the page is visible. */
const SAMPLE_MS = 2000;
const ENDPOINTS_MS = 3000;

export default function MachinePage() {
  const accountId = targetAccount.use();
  const accounts = useQuery(orpc.accounts.list.queryOptions());
  const account = accounts.data?.find(({ id }) => id === accountId);
  const hasMachine = useHasMachine();
  const title = accountTitle(accountId, account?.name ?? '');
  if (hasMachine === false) {
    return (
      <div className={page.page}>
        <header className={page.pageHead}>
          <PageTitle name={title} />
        </header>
        <div className={page.frame}>
          <Card grow>
            <Empty
              title={t`This account does not report its machines`}
              action={<Button onClick={() => targetAccount.set(THIS_MACHINE)}>{t`Show this computer`}</Button>}
            >{t`Only Hangar engines show their GPUs, workers and queue.`}</Empty>
          </Card>
        </div>
      </div>
    );
  }
  return <Machine key={accountId} accountId={accountId} title={title} address={account?.address ?? null} />;
}

interface MachineProps {
  accountId: string;
  title: string;
  address: string | null;
}

function Machine({ accountId, title, address }: MachineProps) {
  const engine = useEngine((state) => state.status);
  const sampleMs = useSampleMs(accountId, 'machine', SAMPLE_MS);
  const machine = useQuery({ ...machineOptions(accountId), refetchInterval: sampleMs });
  const endpointsMs = useStatePollMs(accountId, ENDPOINTS_MS);
  const endpoints = useQuery(orpc.endpoints.now.queryOptions({ input: { accountId }, refetchInterval: endpointsMs }));
  const rows = endpoints.data?.rows;
  const workers = useQuery(orpc.machine.workers.queryOptions({ input: { accountId } }));
  const pause = usePause();
  const away = useAway();
  const { data, dataUpdatedAt } = machine;
  /** Nothing was read before the machine was away. */
  const isUnknown = away !== null && !data && machine.isError;

  useEffect(() => {
    if (!data) return;
    knowPause(accountId, data.pause);
  }, [accountId, data]);

  const endpointNames = new Map((rows ?? []).map(({ id, name }) => [id, name]));
  const running = (workers.data ?? []).reduce((sum, { jobs }) => sum + jobs.length, 0);
  return (
    <div className={page.page}>
      <header className={`${page.pageHead} ${styles.oneRow}`}>
        <MachineTitle accountId={accountId} accountName={title} machine={data} />
        {!data && !machine.isError && <Skeleton h={10} w={140} radius={4} />}
        {pause && <PauseBanner state={pause} />}
        {pause && <PauseControl state={pause} running={running} />}
      </header>
      <div className={styles.body} tabIndex={0} role="region" aria-label={t`About ${title}`}>
        {away !== null && data && <AsOf at={dataUpdatedAt} />}
        {isUnknown && <BackLater away={away} />}
        {machine.isError && away === null && (
          <div className={styles.banner}>
            <Notice
              tone={data ? 'wait' : 'bad'}
              title={data ? t`As of ${formatMoment(dataUpdatedAt)}.` : t`${title} did not answer.`}
              action={
                <Button
                  size="xs"
                  variant="default"
                  loading={machine.isFetching}
                  onClick={() => void machine.refetch()}
                >{t`Try again`}</Button>
              }
            >
              {errorText(machine.error)}
            </Notice>
          </div>
        )}
        {!isUnknown && (
          <div className={`${styles.columns} ${pieces.inOrder} ${away === null ? '' : pieces.lastKnown}`}>
            <div className={`${styles.wide} ${pieces.inOrder}`}>
              {data ? (
                <LoadCard
                  accountId={accountId}
                  machine={data}
                  at={dataUpdatedAt}
                  workers={workers.data ?? []}
                  endpointNames={endpointNames}
                />
              ) : (
                <LoadSkeleton isBusy={!machine.isError} />
              )}
            </div>
            <div className={`${styles.column} ${pieces.inOrder}`}>
              <QueueCard
                accountId={accountId}
                endpoints={rows}
                problem={endpoints.isError && !rows ? errorText(endpoints.error) : null}
                endpointNames={endpointNames}
              />
              <RulesCard accountId={accountId} machine={data} pause={pause} />
              <HandlersCard endpoints={rows} />
            </div>
            <div className={`${styles.column} ${pieces.inOrder}`}>
              <ServiceCard
                accountId={accountId}
                name={accountInSentence(accountId, title)}
                address={address ?? engine?.address ?? null}
              />
              <RuntimesCard machine={data} />
              <DiskCard accountId={accountId} />
            </div>
            <div className={`${styles.wide} ${pieces.inOrder}`}>
              <WorkersCard accountId={accountId} gpus={data?.gpus ?? []} endpointNames={endpointNames} />
              <LogCard accountId={accountId} endpoints={rows} endpointNames={endpointNames} />
            </div>
          </div>
        )}
      </div>
    </div>
  );
}

function LoadSkeleton({ isBusy }: { isBusy: boolean }) {
  return (
    <Card aria-hidden aria-busy={isBusy || undefined}>
      <CardHead title={t`CPU`} />
      <div className={load.device}>
        <div className={load.row}>
          <Skeleton h={12} w={180} radius={4} />
          <div className={load.metrics}>
            <Skeleton h={36} radius={6} />
            <Skeleton h={36} radius={6} />
          </div>
        </div>
        <div className={load.details}>
          <ChartsSkeleton names={['load', 'memory']} />
        </div>
      </div>
    </Card>
  );
}
