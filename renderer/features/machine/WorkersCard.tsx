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
          <table className={styles.workers}>
            <thead>
              <tr>
                <th scope="col">State</th>
                <th scope="col">Worker</th>
                <th scope="col">Endpoint</th>
                <th scope="col">Doing</th>
                <th scope="col">Loop</th>
                <th scope="col">Process</th>
                <th scope="col">GPU</th>
                <th scope="col">CPU</th>
                <th scope="col">Memory</th>
                <th scope="col">Up</th>
              </tr>
            </thead>
            <tbody>
              {data.map((worker) => (
                <Row
                  key={worker.id}
                  worker={worker}
                  endpoint={endpointNames.get(worker.endpointId) ?? worker.endpointId}
                  gpu={gpuWords(worker.gpus, gpus)}
                  now={now}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

interface RowProps {
  worker: WorkerRecord;
  endpoint: string;
  gpu: string;
  now: number;
}

function Row({ worker, endpoint, gpu, now }: RowProps) {
  const startedAt = Date.parse(worker.startedAt);
  return (
    <tr>
      <td>
        <WorkerChip state={worker.state} />
      </td>
      <td>
        <Id text={worker.id} what="worker id" />
      </td>
      <td title={endpoint}>{endpoint}</td>
      <td title={worker.preparing ?? undefined}>{worker.preparing ?? <Jobs ids={worker.jobs} />}</td>
      <td title={loopTitle(worker)}>{worker.publicSdk === null ? runtimeWords[worker.runtime] : 'public SDK'}</td>
      <td>{worker.pid === null ? '–' : <code>{worker.pid}</code>}</td>
      <td title={gpu}>{gpu}</td>
      <td>{worker.cpuPercent === null ? '–' : formatPercent(worker.cpuPercent)}</td>
      <td>{worker.memoryBytes === null ? '–' : formatMemory(worker.memoryBytes)}</td>
      <td title={`Since ${formatMoment(startedAt)}`}>{formatAgo(startedAt, now)}</td>
    </tr>
  );
}

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
