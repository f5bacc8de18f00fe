/** The jobs of one endpoint that wait, in the order they go, and those that were set aside. */
import { useState } from 'react';
import { Select, Skeleton } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { lastEndpoint } from '../../../state/selection.ts';
import { Card } from '../../../ui/primitives/Card.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import page from '../machine.module.css';
import styles from './queue.module.css';
import { QueueList, SHOWN } from './QueueList.tsx';
import { SetAsideList } from './QuarantineList.tsx';

const EVERY_MS = 2000;

interface QueueCardProps {
  accountId: string;
  /** Undefined until they are read. */
  endpoints: readonly EndpointRow[] | undefined;
  /** Why they could not be read. */
  problem: string | null;
  endpointNames: ReadonlyMap<string, string>;
}

export function QueueCard({ accountId, endpoints, problem, endpointNames }: QueueCardProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  // A load balancer has no queue.
  const queues = endpoints?.filter(({ type }) => type === 'QB');
  const endpoint = queues?.find(({ id }) => id === chosen) ?? firstChoice(queues ?? [], lastEndpoint(accountId));
  const endpointId = endpoint?.id;
  // Once shown it stays, whatever comes to wait elsewhere.
  if (endpointId !== undefined && endpointId !== chosen) setChosen(endpointId);
  const [busy, setBusy] = useState(false);
  const input = endpointId === undefined ? skipToken : { accountId, endpointId, limit: SHOWN + 1 };
  // While one is dragged the list must not move under the hand.
  const queue = useQuery(orpc.machine.queue.queryOptions({ input, refetchInterval: busy ? false : EVERY_MS }));
  const failure = problem ?? (queue.isError && !queue.data ? errorText(queue.error) : null);
  const waiting = Math.max(waitingIn(endpoint), queue.data?.length ?? 0);
  return (
    <Card aria-label="Queue">
      <div className={page.cardHead}>
        <h2>Queue</h2>
        <Select
          className={page.endpointSelect ?? ''}
          aria-label="Endpoint of the queue"
          data={(queues ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          renderOption={({ option: { value, label } }) => (
            <Choice name={label} waiting={waitingIn(queues?.find(({ id }) => id === value))} />
          )}
          value={endpointId ?? null}
          onChange={(value) => value !== null && setChosen(value)}
          allowDeselect={false}
        />
        <span className={page.quiet}>
          {waiting === 0 ? '' : `${formatCount(waiting)} waiting${waiting > SHOWN ? `, the first ${SHOWN} shown` : ''}`}
        </span>
      </div>
      {failure !== null && (
        <Notice tone="wait" title="The queue could not be read.">
          {failure}
        </Notice>
      )}
      {queue.isPending && queues?.length !== 0 && failure === null && <Skeleton h={10} w="40%" radius={4} m={16} />}
      {(queue.data?.length === 0 || queues?.length === 0) && (
        <p className={page.nothing}>No job waits here. When some do, drag them into the order they should go in.</p>
      )}
      {endpointId !== undefined && queue.data && queue.data.length > 0 && (
        <QueueList accountId={accountId} endpointId={endpointId} jobs={queue.data} onBusy={setBusy} />
      )}
      <SetAsideList accountId={accountId} endpointNames={endpointNames} />
    </Card>
  );
}

const waitingIn = (endpoint: EndpointRow | undefined): number => endpoint?.health?.jobs.inQueue ?? 0;

/** The one last run where jobs wait in it, otherwise one where some do. */
function firstChoice(queues: readonly EndpointRow[], last: string | null): EndpointRow | undefined {
  const known = queues.find(({ id }) => id === last);
  if (known && waitingIn(known) > 0) return known;
  return queues.find((queue) => waitingIn(queue) > 0) ?? known ?? queues[0];
}

function Choice({ name, waiting }: { name: string; waiting: number }) {
  return (
    <span className={styles.choice}>
      <span>{name}</span>
      {waiting > 0 && <i>{formatCount(waiting)} waiting</i>}
    </span>
  );
}
