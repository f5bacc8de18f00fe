/** A summary of this computer: its load, its state, and the pause button. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { Machine } from '#contract/local/machine.ts';
import { useSampleMs } from '../../client/changes/samples.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { useLastKnownAt } from '../../client/away.ts';
import { machineOptions, usePausing } from '../../client/machine.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { formatRoute } from '../../state/routePath.ts';
import { Unknown } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { formatMemoryOf, formatPercent, shortGpuName } from '../../ui/text/format.ts';
import { useNow } from '../../ui/primitives/useNow.ts';
import { pauseLine, resumeLabel } from '../../ui/text/pauseLabels.ts';
import pieces from '../../ui/theme/pieces.module.css';
import styles from './home.module.css';
import { counted, t } from '../../language/text.ts';

const SAMPLE_MS = 5000;
const MINUTE_MS = 60_000;
const HERE = { accountId: THIS_MACHINE };

export function MachineCard() {
  const sampleMs = useSampleMs(THIS_MACHINE, 'machine', SAMPLE_MS);
  const machine = useQuery({ ...machineOptions(THIS_MACHINE), refetchInterval: sampleMs, retry: false });
  const workersMs = useStatePollMs(THIS_MACHINE, SAMPLE_MS);
  const workers = useQuery(
    orpc.machine.workers.queryOptions({
      input: { accountId: THIS_MACHINE },
      refetchInterval: workersMs,
      retry: false,
    }),
  );
  const { pause, resume } = usePausing(THIS_MACHINE);
  const { data } = machine;
  // The line above the tiles says from when the numbers are.
  const isOld = useLastKnownAt('engine') !== null;
  const running = workers.data?.reduce((sum, { jobs }) => sum + jobs.length, 0) ?? 0;
  const now = useNow(MINUTE_MS);
  const line = data && pauseLine(data.pause, now);
  return (
    <Card aria-label={t`This computer`} role="region" aria-busy={machine.isPending || undefined}>
      <CardHead title={data?.hostname ?? t`This computer`}>
        {data && <span className={styles.quiet}>{t`this computer`}</span>}
        <a href={formatRoute({ page: 'machine' })}>{t`Open`}</a>
      </CardHead>
      {machine.isError && data && !isOld && (
        <StaleNotice
          source={HERE}
          at={machine.dataUpdatedAt}
          problem={errorText(machine.error)}
          retry={() => void machine.refetch()}
        >{t`These are the last known numbers.`}</StaleNotice>
      )}
      {machine.isError && !data && (
        <Unknown
          source={HERE}
          title={t`This computer did not answer.`}
          problem={errorText(machine.error)}
          action={
            <Button
              size="xs"
              variant="default"
              loading={machine.isFetching}
              onClick={() => void machine.refetch()}
            >{t`Try again`}</Button>
          }
        />
      )}
      {machine.isPending && <Skeleton h={44} radius={6} m={14} w="auto" />}
      {data && (
        <>
          <div className={isOld ? pieces.lastKnown : undefined}>
            <Load machine={data} />
          </div>
          <div className={styles.foot}>
            <span>{line ?? (workers.data && workWords(workers.data.length, running))}</span>
            <span style={{ marginLeft: 'auto' }} />
            {data.pause.state === 'running' ? (
              <Button
                size="xs"
                variant="default"
                leftSection={<Pause size={12} fill="currentColor" aria-hidden />}
                title={running === 0 ? t`No jobs are running` : t`Running jobs go back to the queue`}
                loading={pause.isPending}
                onClick={() => pause.mutate({ when: 'now' })}
              >{t`Pause`}</Button>
            ) : (
              <Button
                size="xs"
                variant="default"
                leftSection={<Play size={12} fill="currentColor" aria-hidden />}
                loading={resume.isPending}
                onClick={() => resume.mutate()}
              >
                {resumeLabel(data.pause)}
              </Button>
            )}
          </div>
        </>
      )}
    </Card>
  );
}

/** The name of a GPU that has room before its bar. */
const INLINE_CHARS = 16;

function workWords(workers: number, jobs: number): string {
  if (workers === 0) return t`No workers running`;
  const all = counted(workers, '{0} worker', '{0} workers');
  return jobs === 0 ? t`${all}, idle` : t`${all}, ${counted(jobs, '{0} job', '{0} jobs')} running`;
}

function Load({ machine: { gpus, cpu, memory } }: { machine: Machine }) {
  const names = gpus.map(({ index, typeId }) =>
    gpus.length === 1 ? shortGpuName(typeId) : t`${shortGpuName(typeId)} #${index}`,
  );
  const isLong = names.some(({ length }) => length > INLINE_CHARS);
  return (
    <dl className={styles.load}>
      {gpus.map(({ uuid, typeId, load, memoryBytes }, place) => (
        <Row
          key={uuid}
          name={names[place] ?? typeId}
          fullName={typeId}
          isLong={isLong}
          share={load?.utilPercent ?? null}
          amount={load?.memoryUsedBytes == null ? null : formatMemoryOf(load.memoryUsedBytes, memoryBytes)}
          amountName={t`GPU memory`}
        />
      ))}
      <Row
        name={t`CPU`}
        share={cpu.loadPercent}
        amount={counted(cpu.cores, '{0} core', '{0} cores')}
        amountName={cpu.model}
      />
      <Row
        name={t`Memory`}
        share={(100 * memory.usedBytes) / memory.totalBytes}
        amount={formatMemoryOf(memory.usedBytes, memory.totalBytes)}
        amountName={t`Memory`}
      />
    </dl>
  );
}

interface RowProps {
  name: string;
  fullName?: string;
  /** The name has a line of its own. */
  isLong?: boolean;
  /** Its load in percent, which the bar and the number show; null if it is not measured. */
  share: number | null;
  amount: string | null;
  /** What the amount is of. */
  amountName: string;
}

function Row({ name, fullName, isLong = false, share, amount, amountName }: RowProps) {
  return (
    <>
      <dt data-long={isLong || undefined} title={fullName}>
        {name}
      </dt>
      <dd>
        <div className={styles.meter} aria-hidden>
          <i style={{ width: `${Math.min(100, share ?? 0)}%` }} />
        </div>
      </dd>
      <dd data-value>{share === null ? t`not measured` : formatPercent(share)}</dd>
      <dd data-value className={styles.quiet} title={amountName}>
        {amount}
      </dd>
    </>
  );
}
