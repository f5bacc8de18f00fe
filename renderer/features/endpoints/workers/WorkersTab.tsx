/** The workers of an endpoint: their lives as lanes, and what each uses now. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { limits } from '#contract/core/limits.ts';
import type { WorkerRecord } from '#contract/local/engine.ts';
import { useIsPushed } from '../../../client/changes/pushed.ts';
import { useWorkerSampleMs } from '../../../client/machine.ts';
import { usePollMs } from '../../../client/transport/live.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { navigate } from '../../../state/route.ts';
import { formatDuration, formatMemory, formatMoment, formatWhen } from '../../../ui/text/format.ts';
import { Id } from '../../../ui/primitives/Id.tsx';
import { runtimeWords } from '../../../ui/text/loopLabels.ts';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { WorkerChip } from '../../../ui/domain/WorkerChip.tsx';
import panel from '../../../ui/theme/panel.module.css';
import pieces from '../../../ui/theme/pieces.module.css';
import { PlainTable } from '../../../ui/primitives/PlainTable.tsx';
import { Lanes } from './Lanes.tsx';
import { layoutLanes } from './laneLayout.ts';
import { Unknown } from '../../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../../ui/domain/StaleNotice.tsx';
import styles from './workers.module.css';
import { joinSentences } from '../../../language/sentences.ts';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { t } from '../../../language/text.ts';

const MINUTE_MS = 60_000;
const windows = [
  { value: String(MINUTE_MS), label: t`1 min` },
  { value: String(5 * MINUTE_MS), label: t`5 min` },
  { value: String(60 * MINUTE_MS), label: '1 h' },
  { value: String(24 * 60 * MINUTE_MS), label: '24 h' },
];
const TICK_MS = 500;

interface WorkersTabProps {
  accountId: string;
  row: EndpointRow;
  account: Account | null;
}

export function WorkersTab({ accountId, row, account }: WorkersTabProps) {
  /** A service tells nothing of what its workers use. */
  const isEngine = account === null || account.capabilities.includes('local');
  const [sinceMs, setSinceMs] = useState(5 * MINUTE_MS);
  const isPushed = useIsPushed(accountId);
  const pollMs = usePollMs();
  const lanes = useQuery(
    orpc.workers.lanes.queryOptions({
      input: { accountId, endpointId: row.id, sinceMs },
      refetchInterval: isPushed ? false : pollMs,
      retry: false,
    }),
  );
  const workersMs = useWorkerSampleMs(accountId, isEngine ? pollMs : null);
  const workers = useQuery(
    orpc.machine.workers.queryOptions({
      input: isEngine ? { accountId } : skipToken,
      refetchInterval: workersMs,
      retry: false,
    }),
  );
  // A restart of the engine has everything read again.
  const facts = useQuery(
    orpc.machine.facts.queryOptions({ input: isEngine ? { accountId } : skipToken, staleTime: Infinity, retry: false }),
  );
  const now = useNow(TICK_MS);
  const startedAt = facts.data ? Date.parse(facts.data.startedAt) : null;
  const known = isEngine ? knownPart(startedAt, now, sinceMs) : null;
  const window = { from: now - sinceMs, to: now };
  const failure = lanes.isError ? lanes.error : workers.isError ? workers.error : null;
  // The line that says since when the engine knows them stands above the lanes, which must not move.
  const isComplete = lanes.data !== undefined && !(isEngine && facts.isPending && failure === null);
  const placed = isComplete ? layoutLanes(lanes.data, window) : [];
  const ownWorkers = (workers.data ?? []).filter(({ endpointId }) => endpointId === row.id);

  return (
    <div
      className={`${panel.panel} ${pieces.inOrder}`}
      tabIndex={0}
      role="region"
      aria-label={t`Workers of ${row.name}`}
    >
      {failure !== null && (
        <Failure
          at={lanes.data ? lanes.dataUpdatedAt : null}
          problem={errorText(failure)}
          retry={() => void Promise.all([lanes.refetch(), isEngine && workers.refetch()])}
        />
      )}
      <div className={styles.lanesHead}>
        <h3>{t`History`}</h3>
        <Segments
          aria-label={t`How far back`}
          data={windows}
          value={String(sinceMs)}
          onChange={(value) => setSinceMs(Number(value))}
        />
      </div>
      {!isComplete && failure === null && <div className={styles.lanesSkeleton} aria-busy="true" />}
      {isComplete && placed.length === 0 && (
        <div className={styles.lanesEmpty}>
          <Empty
            title={known?.title ?? t`No workers in this period`}
            action={
              <Button
                variant="default"
                onClick={() => navigate({ page: 'run', endpointId: row.id })}
              >{t`Run a job`}</Button>
            }
          >
            {joinSentences(known?.text, t`A worker starts when a job arrives.`)}
          </Empty>
        </div>
      )}
      {!isEngine && placed.length > 0 && (
        <p
          className={styles.told}
        >{t`The service reports only the current state of its workers, not their history.`}</p>
      )}
      {known !== null && placed.length > 0 && <p className={styles.told}>{known.text}</p>}
      {placed.length > 0 && <Lanes lanes={placed} window={window} />}
      {ownWorkers.length > 0 && <WorkerTable workers={ownWorkers} now={now} />}
    </div>
  );
}

const KEPT_MS = limits.lanes.retentionMs;

/** What the engine knows of a period that begins before its history of workers; null if it knows all of the period. */
function knownPart(startedAt: number | null, now: number, sinceMs: number): { title: string; text: string } | null {
  if (startedAt !== null && startedAt > now - Math.min(sinceMs, KEPT_MS)) {
    const when = formatWhen(startedAt);
    return {
      title: t`No workers since ${when}`,
      text: t`The engine started at ${when}. It does not remember earlier workers.`,
    };
  }
  if (sinceMs <= KEPT_MS) return null;
  return {
    title: t`No workers in the last ${formatDuration(KEPT_MS)}`,
    text: t`The engine remembers the workers of the last ${formatDuration(KEPT_MS)}.`,
  };
}

interface FailureProps {
  /** When the shown workers arrived; null if none are shown. */
  at: number | null;
  problem: string;
  retry: () => void;
}

function Failure({ at, problem, retry }: FailureProps) {
  if (at !== null) {
    return <StaleNotice at={at} problem={problem} retry={retry}>{t`These are the last known workers.`}</StaleNotice>;
  }
  const action = <Button size="xs" variant="default" onClick={retry}>{t`Try again`}</Button>;
  return <Unknown title={t`The workers could not be read.`} problem={problem} action={action} />;
}

function WorkerTable({ workers, now }: { workers: readonly WorkerRecord[]; now: number }) {
  return (
    <section className={panel.block} aria-label={t`Workers now`}>
      <h3>{t`Now`}</h3>
      <PlainTable
        className={styles.workerTable}
        rows={workers}
        keyOf={({ id }) => id}
        columns={[
          { title: t`Worker`, cell: ({ id }) => <Id text={id} copyLabel={t`Copy worker id`} /> },
          {
            title: t`State`,
            isState: true,
            hint: ({ preparing }) => preparing ?? undefined,
            cell: ({ state, preparing }) => (
              <>
                <WorkerChip state={state} />
                {preparing !== null && <em>{preparing}</em>}
              </>
            ),
          },
          { title: t`Runs`, needs: 'medium', cell: ({ runtime }) => runtimeWords[runtime] },
          {
            title: t`GPU`,
            needs: 'medium',
            hint: ({ gpus }) => gpus.join(', '),
            cell: ({ gpus }) => (gpus.length === 0 ? t`none` : gpus.length),
          },
          {
            title: t`CPU`,
            isNumber: true,
            cell: ({ cpuPercent }) => (cpuPercent === null ? '–' : `${Math.round(cpuPercent)} %`),
          },
          {
            title: t`Memory`,
            isNumber: true,
            cell: ({ memoryBytes }) => (memoryBytes === null ? '–' : formatMemory(memoryBytes)),
          },
          {
            title: t`Age`,
            needs: 'wide',
            isNumber: true,
            hint: ({ startedAt }) => formatMoment(Date.parse(startedAt)),
            cell: ({ startedAt }) => formatDuration(now - Date.parse(startedAt)),
          },
        ]}
      />
    </section>
  );
}
