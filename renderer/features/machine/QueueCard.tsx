/** The jobs of one endpoint that wait, in the order they go, and those that were set aside. */
import { useState } from 'react';
import { Select, Skeleton } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { EndpointSummary } from '#contract/bridge.ts';
import { errorText, orpc } from '../../client/orpc.ts';
import { lastEndpoint } from '../../state/selection.ts';
import { Card } from '../../ui/Card.tsx';
import { formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/Notice.tsx';
import styles from './machine.module.css';
import { QueueList, SHOWN } from './QueueList.tsx';
import { SetAsideList } from './SetAsideList.tsx';

const EVERY_MS = 2000;

interface QueueCardProps {
  accountId: string;
  /** Undefined until they are read. */
  endpoints: readonly EndpointSummary[] | undefined;
  endpointNames: ReadonlyMap<string, string>;
}

export function QueueCard({ accountId, endpoints, endpointNames }: QueueCardProps) {
  const [chosen, setChosen] = useState(() => lastEndpoint(accountId));
  const endpointId = endpoints?.find(({ id }) => id === chosen)?.id ?? endpoints?.[0]?.id;
  const [busy, setBusy] = useState(false);
  const input = endpointId === undefined ? skipToken : { accountId, endpointId, limit: SHOWN + 1 };
  // While one is dragged the list must not move under the hand.
  const queue = useQuery(orpc.machine.queue.queryOptions({ input, refetchInterval: busy ? false : EVERY_MS }));
  const health = useQuery(
    orpc.endpoints.health.queryOptions({
      input: endpointId === undefined ? skipToken : { accountId, endpointId },
      refetchInterval: EVERY_MS,
    }),
  );
  const waiting = Math.max(health.data?.jobs.inQueue ?? 0, queue.data?.length ?? 0);
  return (
    <Card aria-label="Queue">
      <div className={styles.cardHead}>
        <h2>Queue</h2>
        <Select
          className={styles.endpointSelect ?? ''}
          aria-label="Endpoint of the queue"
          data={(endpoints ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={endpointId ?? null}
          onChange={(value) => value !== null && setChosen(value)}
          allowDeselect={false}
        />
        <span className={styles.quiet}>
          {waiting === 0 ? '' : `${formatCount(waiting)} waiting${waiting > SHOWN ? `, the first ${SHOWN} shown` : ''}`}
        </span>
      </div>
      {queue.isError && !queue.data && (
        <Notice tone="wait" title="The queue could not be read.">
          {errorText(queue.error)}
        </Notice>
      )}
      {queue.isPending && endpointId !== undefined && !queue.isError && <Skeleton h={10} w="40%" radius={4} m={16} />}
      {(queue.data?.length === 0 || endpoints?.length === 0) && (
        <p className={styles.nothing}>No job waits here. When some do, drag them into the order they should go in.</p>
      )}
      {endpointId !== undefined && queue.data && queue.data.length > 0 && (
        <QueueList accountId={accountId} endpointId={endpointId} jobs={queue.data} onBusy={setBusy} />
      )}
      <SetAsideList accountId={accountId} endpointNames={endpointNames} />
    </Card>
  );
}
