/** This computer in short: its load, whether it works, and the way to pause it. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { Machine } from '#contract/local/machine.ts';
import { machineOptions, usePausing } from '../../client/machine.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { formatRoute } from '../../state/routePath.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatMemory, formatPercent } from '../../ui/text/format.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { pauseLine, resumeLabel } from '../../ui/text/pauseLabels.ts';
import styles from './home.module.css';

const SAMPLE_MS = 5000;

export function MachineCard() {
  const machine = useQuery({ ...machineOptions(THIS_MACHINE), refetchInterval: SAMPLE_MS, retry: false });
  const workers = useQuery(
    orpc.machine.workers.queryOptions({
      input: { accountId: THIS_MACHINE },
      refetchInterval: SAMPLE_MS,
      retry: false,
    }),
  );
  const { pause, resume } = usePausing(THIS_MACHINE);
  const { data } = machine;
  const running = workers.data?.reduce((sum, { jobs }) => sum + jobs.length, 0) ?? 0;
  const line = data && pauseLine(data.pause);
  return (
    <Card aria-label="This computer" role="region">
      <div className={styles.cardHead}>
        <h2>This computer</h2>
        <a href={formatRoute({ page: 'machine' })}>Details</a>
      </div>
      {machine.isError && (
        <Notice
          tone="wait"
          title={data ? 'Not as it is now.' : 'It could not be asked.'}
          action={
            <Button size="xs" variant="default" loading={machine.isFetching} onClick={() => void machine.refetch()}>
              Try again
            </Button>
          }
        >
          {errorText(machine.error)}
        </Notice>
      )}
      {!data && !machine.isError && <Skeleton h={44} radius={6} m={14} w="auto" />}
      {data && (
        <>
          <Load machine={data} />
          <div className={styles.foot}>
            <span>{line ?? workWords(workers.data?.length ?? 0, running)}</span>
            <span style={{ marginLeft: 'auto' }} />
            {data.pause.state === 'running' ? (
              <Button
                size="xs"
                variant="default"
                leftSection={<Pause size={12} fill="currentColor" aria-hidden />}
                title={running === 0 ? 'No job runs now' : 'Jobs that run go back to the queue'}
                loading={pause.isPending}
                onClick={() => pause.mutate({ when: 'now' })}
              >
                Pause
              </Button>
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

function workWords(workers: number, jobs: number): string {
  if (workers === 0) return 'No worker runs';
  const all = `${workers} ${workers === 1 ? 'worker' : 'workers'}`;
  return jobs === 0 ? `${all}, idle` : `${all}, ${jobs} ${jobs === 1 ? 'job' : 'jobs'} running`;
}

function Load({ machine: { gpus, cpu, memory } }: { machine: Machine }) {
  return (
    <dl className={styles.load}>
      {gpus.map(({ uuid, typeId, load, memoryBytes }) => (
        <Row
          key={uuid}
          name={typeId}
          share={load?.utilPercent ?? null}
          words={
            load?.memoryUsedBytes == null
              ? null
              : `${formatMemory(load.memoryUsedBytes)} of ${formatMemory(memoryBytes)}`
          }
        />
      ))}
      <Row name="Processor" share={cpu.loadPercent} words={null} />
      <Row
        name="Memory"
        share={(100 * memory.usedBytes) / memory.totalBytes}
        words={`${formatMemory(memory.usedBytes)} of ${formatMemory(memory.totalBytes)}`}
      />
    </dl>
  );
}

function Row({ name, share, words }: { name: string; share: number | null; words: string | null }) {
  const value = share === null ? 'not measured' : formatPercent(share);
  return (
    <>
      <dt title={name}>{name}</dt>
      <dd>
        <div className={styles.meter} aria-hidden>
          <i style={{ width: `${Math.min(100, share ?? 0)}%` }} />
        </div>
      </dd>
      <dd data-value>{words ?? value}</dd>
    </>
  );
}
