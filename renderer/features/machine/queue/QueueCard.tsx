/** The waiting jobs of one endpoint in the order of the queue, and jobs that were set aside. */
import { useState } from 'react';
import { Select, Skeleton } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { lastEndpoint } from '../../../state/selection.ts';
import { Unknown } from '../../../ui/domain/LoadError.tsx';
import { Card, CardHead } from '../../../ui/primitives/Card.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import page from '../machine.module.css';
import styles from './queue.module.css';
import { QueueList, SHOWN } from './QueueList.tsx';
import { QuarantineList } from './QuarantineList.tsx';
import { t } from '../../../language/text.ts';

const EVERY_MS = 2000;

interface QueueCardProps {
  accountId: string;
  /** Undefined until they are loaded. */
  endpoints: readonly EndpointRow[] | undefined;
  /** Why they could not be read. */
  problem: string | null;
  endpointNames: ReadonlyMap<string, string>;
}

export function QueueCard({ accountId, endpoints, problem, endpointNames }: QueueCardProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  // A load-balancing endpoint has no queue.
  const queues = endpoints?.filter(({ type }) => type === 'QB');
  const endpoint = queues?.find(({ id }) => id === chosen) ?? firstChoice(queues ?? [], lastEndpoint.get(accountId));
  const endpointId = endpoint?.id;
  // The shown endpoint stays, even if jobs wait elsewhere.
  if (endpointId !== undefined && endpointId !== chosen) setChosen(endpointId);
  useCommands(
    (queues ?? []).map(
      ({ id, name }) => id !== endpointId && { label: t`Show the queue of ${name}`, run: () => setChosen(id) },
    ),
  );
  const [busy, setBusy] = useState(false);
  const input = endpointId === undefined ? skipToken : { accountId, endpointId, limit: SHOWN + 1 };
  const refetchInterval = useStatePollMs(accountId, EVERY_MS);
  // During a drag the list must not change.
  const queue = useQuery(orpc.machine.queue.queryOptions({ input, refetchInterval, enabled: !busy }));
  const failure = problem ?? (queue.isError && !queue.data ? errorText(queue.error) : null);
  const waiting = Math.max(waitingIn(endpoint), queue.data?.length ?? 0);
  const isLoading = queue.isPending && queues?.length !== 0 && failure === null;
  return (
    <Card aria-label={t`Queue`} aria-busy={isLoading || undefined}>
      <CardHead title={t`Queue`}>
        {queues?.length !== 0 && (
          <Select
            className={page.endpointSelect ?? ''}
            aria-label={t`Endpoint of the queue`}
            data={(queues ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            renderOption={({ option: { value, label } }) => (
              <Choice name={label} waiting={waitingIn(queues?.find(({ id }) => id === value))} />
            )}
            value={endpointId ?? null}
            onChange={(value) => value !== null && setChosen(value)}
            allowDeselect={false}
          />
        )}
        <span className={page.quiet}>
          {waiting > SHOWN
            ? t`${formatCount(waiting)} waiting, first ${SHOWN} shown`
            : waiting > 0 && t`${formatCount(waiting)} waiting`}
        </span>
      </CardHead>
      {failure !== null && <Unknown title={t`The queue could not be read.`} problem={failure} />}
      {isLoading && <Skeleton h={10} w="40%" radius={4} m={16} />}
      {queues?.length === 0 && <p className={page.nothing}>{t`There is no endpoint with a queue yet.`}</p>}
      {queue.data?.length === 0 && <p className={page.nothing}>{t`No jobs are waiting.`}</p>}
      {endpointId !== undefined && queue.data && queue.data.length > 0 && (
        <QueueList accountId={accountId} endpointId={endpointId} jobs={queue.data} onBusy={setBusy} />
      )}
      <QuarantineList accountId={accountId} endpointNames={endpointNames} />
    </Card>
  );
}

const waitingIn = (endpoint: EndpointRow | undefined): number => endpoint?.health?.jobs.inQueue ?? 0;

/** The last used endpoint if it has waiting jobs, otherwise another one with waiting jobs. */
function firstChoice(queues: readonly EndpointRow[], last: string | null): EndpointRow | undefined {
  const known = queues.find(({ id }) => id === last);
  if (known && waitingIn(known) > 0) return known;
  return queues.find((queue) => waitingIn(queue) > 0) ?? known ?? queues[0];
}

function Choice({ name, waiting }: { name: string; waiting: number }) {
  return (
    <span className={styles.choice}>
      <span>{name}</span>
      {waiting > 0 && <i>{t`${formatCount(waiting)} waiting`}</i>}
    </span>
  );
}
