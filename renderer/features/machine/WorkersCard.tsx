/** Every worker of every endpoint in its current state. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { Machine } from '#contract/local/machine.ts';
import { useWorkerSampleMs } from '../../client/machine.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { Unknown } from '../../ui/domain/LoadError.tsx';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { formatDuration, formatMemory, formatMoment, formatPercent } from '../../ui/text/format.ts';
import { Id } from '../../ui/primitives/Id.tsx';
import { loopCaution, loopWords, runtimeWords } from '../../ui/text/loopLabels.ts';
import { useNow } from '../../ui/primitives/useNow.ts';
import { shortId } from '../../ui/domain/jobText.ts';
import { WorkerChip } from '../../ui/domain/WorkerChip.tsx';
import { PlainTable, type TableColumn } from '../../ui/primitives/PlainTable.tsx';
import page from './machine.module.css';
import styles from './workers.module.css';
import { t } from '../../language/text.ts';

const EVERY_MS = 2000;
const UPTIME_EVERY_MS = 10_000;

interface WorkersCardProps {
  accountId: string;
  gpus: Machine['gpus'];
  endpointNames: ReadonlyMap<string, string>;
}

export function WorkersCard({ accountId, gpus, endpointNames }: WorkersCardProps) {
  const refetchInterval = useWorkerSampleMs(accountId, EVERY_MS);
  const workers = useQuery(orpc.machine.workers.queryOptions({ input: { accountId }, refetchInterval }));
  const { data } = workers;
  const now = useNow(data && data.length > 0 ? UPTIME_EVERY_MS : null);
  return (
    <Card aria-label={t`Workers`} aria-busy={workers.isPending || undefined}>
      <CardHead title={t`Workers`}>
        {data && data.length > 0 && <span className={page.quiet}>{countWords(data)}</span>}
      </CardHead>
      {workers.isError && !data && (
        <Unknown title={t`The workers could not be read.`} problem={errorText(workers.error)} />
      )}
      {data?.length === 0 && (
        <p
          className={page.nothing}
        >{t`No workers are running. One starts when a job arrives, and stops when it is idle.`}</p>
      )}
      {workers.isPending && <Skeleton h={10} w="40%" radius={4} m={16} />}
      {data && data.length > 0 && (
        <div className={styles.frame}>
          <PlainTable
            label={t`Table of workers`}
            className={styles.workers}
            rows={data}
            keyOf={({ id }) => id}
            columns={columnsOf(({ endpointId }) => endpointNames.get(endpointId) ?? endpointId, gpus, now)}
          />
        </div>
      )}
    </Card>
  );
}

const columnsOf = (
  endpointOf: (worker: WorkerRecord) => string,
  gpus: Machine['gpus'],
  now: number,
): readonly TableColumn<WorkerRecord>[] => [
  { title: t`State`, isState: true, cell: ({ state }) => <WorkerChip state={state} /> },
  { title: t`Worker`, needs: 'medium', cell: ({ id }) => <Id text={id} copyLabel={t`Copy worker id`} /> },
  { title: t`Endpoint`, hint: endpointOf, cell: endpointOf },
  {
    title: t`Activity`,
    hint: ({ preparing }) => preparing ?? undefined,
    cell: ({ preparing, jobs }) => preparing ?? <Jobs ids={jobs} />,
  },
  {
    title: t`Program`,
    needs: 'wide',
    hint: loopTitle,
    cell: ({ publicSdk, runtime }) => (publicSdk === null ? runtimeWords[runtime] : t`public SDK`),
  },
  { title: t`Process`, needs: 'wide', cell: ({ pid }) => (pid === null ? '–' : <code>{pid}</code>) },
  {
    title: t`GPU`,
    needs: 'medium',
    hint: (worker) => gpuWords(worker.gpus, gpus),
    cell: (worker) => gpuWords(worker.gpus, gpus),
  },
  {
    title: t`CPU`,
    needs: 'wide',
    cell: ({ cpuPercent }) => (cpuPercent === null ? '–' : formatPercent(cpuPercent)),
  },
  {
    title: t`Memory`,
    needs: 'medium',
    cell: ({ memoryBytes }) => (memoryBytes === null ? '–' : formatMemory(memoryBytes)),
  },
  {
    title: t`Up`,
    hint: ({ startedAt }) => t`Since ${formatMoment(Date.parse(startedAt))}`,
    cell: ({ startedAt }) => formatDuration(now - Date.parse(startedAt)),
  },
];

function loopTitle(worker: WorkerRecord): string {
  const caution = loopCaution(worker);
  return caution === null ? loopWords(worker) : `${loopWords(worker)}: ${caution}`;
}

function Jobs({ ids }: { ids: readonly string[] }) {
  const [first] = ids;
  if (first === undefined) return <span className={page.quiet}>–</span>;
  if (ids.length > 1) return <span title={ids.join('\n')}>{t`${ids.length} jobs`}</span>;
  return <Id text={first} shown={shortId(first)} copyLabel={t`Copy job id`} />;
}

function gpuWords(uuids: readonly string[], gpus: Machine['gpus']): string {
  if (uuids.length === 0) return 'CPU';
  return uuids.map((uuid) => t`GPU ${gpus.find((gpu) => gpu.uuid === uuid)?.index ?? '?'}`).join(', ');
}

function countWords(workers: readonly WorkerRecord[]): string {
  const running = workers.filter(({ state }) => state === 'running').length;
  return t`${workers.length} in all, ${running} running`;
}
