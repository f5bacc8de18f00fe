/** Every worker of every endpoint, as it is now. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { Machine } from '#contract/local/machine.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatAgo, formatMemory, formatMoment, formatPercent } from '../../ui/text/format.ts';
import { Id } from '../../ui/primitives/Id.tsx';
import { loopCaution, loopWords, runtimeWords } from '../../ui/text/loopLabels.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { WorkerChip } from '../../ui/domain/WorkerChip.tsx';
import { PlainTable, type TableColumn } from '../../ui/primitives/PlainTable.tsx';
import page from './machine.module.css';
import styles from './workers.module.css';

const EVERY_MS = 2000;
const UPTIME_EVERY_MS = 10_000;

interface WorkersCardProps {
  accountId: string;
  gpus: Machine['gpus'];
  endpointNames: ReadonlyMap<string, string>;
}

export function WorkersCard({ accountId, gpus, endpointNames }: WorkersCardProps) {
  const workers = useQuery(orpc.machine.workers.queryOptions({ input: { accountId }, refetchInterval: EVERY_MS }));
  const { data } = workers;
  const now = useNow(data && data.length > 0 ? UPTIME_EVERY_MS : null);
  return (
    <Card aria-label="Workers">
      <div className={page.cardHead}>
        <h2>Workers</h2>
        {data && data.length > 0 && <span className={page.quiet}>{countWords(data)}</span>}
      </div>
      {workers.isError && !data && (
        <Notice tone="wait" title="The workers could not be read.">
          {errorText(workers.error)}
        </Notice>
      )}
      {data?.length === 0 && (
        <p className={page.nothing}>
          No worker runs. One starts by itself when a job comes, and stops when it is idle.
        </p>
      )}
      {workers.isPending && <Skeleton h={10} w="40%" radius={4} m={16} />}
      {data && data.length > 0 && (
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Table of workers">
          <PlainTable
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
  { title: 'State', cell: ({ state }) => <WorkerChip state={state} /> },
  { title: 'Worker', cell: ({ id }) => <Id text={id} what="worker id" /> },
  { title: 'Endpoint', hint: endpointOf, cell: endpointOf },
  {
    title: 'Doing',
    hint: ({ preparing }) => preparing ?? undefined,
    cell: ({ preparing, jobs }) => preparing ?? <Jobs ids={jobs} />,
  },
  {
    title: 'Loop',
    hint: loopTitle,
    cell: ({ publicSdk, runtime }) => (publicSdk === null ? runtimeWords[runtime] : 'public SDK'),
  },
  { title: 'Process', cell: ({ pid }) => (pid === null ? '–' : <code>{pid}</code>) },
  { title: 'GPU', hint: (worker) => gpuWords(worker.gpus, gpus), cell: (worker) => gpuWords(worker.gpus, gpus) },
  { title: 'CPU', cell: ({ cpuPercent }) => (cpuPercent === null ? '–' : formatPercent(cpuPercent)) },
  { title: 'Memory', cell: ({ memoryBytes }) => (memoryBytes === null ? '–' : formatMemory(memoryBytes)) },
  {
    title: 'Up',
    hint: ({ startedAt }) => `Since ${formatMoment(Date.parse(startedAt))}`,
    cell: ({ startedAt }) => formatAgo(Date.parse(startedAt), now),
  },
];

function loopTitle(worker: WorkerRecord): string {
  const caution = loopCaution(worker);
  return caution === null ? loopWords(worker) : `${loopWords(worker)}: ${caution}`;
}

function Jobs({ ids }: { ids: readonly string[] }) {
  const [first] = ids;
  if (first === undefined) return <span className={page.quiet}>–</span>;
  if (ids.length > 1) return <span title={ids.join('\n')}>{ids.length} jobs</span>;
  return <Id text={first} what="job id" />;
}

function gpuWords(uuids: readonly string[], gpus: Machine['gpus']): string {
  if (uuids.length === 0) return 'CPU';
  return uuids.map((uuid) => `GPU ${gpus.find((gpu) => gpu.uuid === uuid)?.index ?? '?'}`).join(', ');
}

function countWords(workers: readonly WorkerRecord[]): string {
  const running = workers.filter(({ state }) => state === 'running').length;
  return `${workers.length} in all, ${running} running`;
}
