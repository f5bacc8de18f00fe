/** What the workers of all endpoints write, or those of one. */
import { useState } from 'react';
import { Select } from '@mantine/core';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useLogFeed } from '../../client/logFeed.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { LogView } from '../../ui/log/LogView.tsx';
import styles from './log.module.css';
import page from './machine.module.css';

const ALL = '';

interface LogCardProps {
  accountId: string;
  /** Undefined until they are read. */
  endpoints: readonly EndpointRow[] | undefined;
  endpointNames: ReadonlyMap<string, string>;
}

export function LogCard({ accountId, endpoints, endpointNames }: LogCardProps) {
  const [chosen, setChosen] = useState(ALL);
  const endpoint = endpoints?.find(({ id }) => id === chosen);
  return (
    <Card aria-label="Log">
      <div className={page.cardHead}>
        <h2>Log</h2>
        <Select
          className={page.endpointSelect ?? ''}
          aria-label="Endpoint of the log"
          data={[
            { value: ALL, label: 'All endpoints' },
            ...(endpoints ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={endpoint?.id ?? ALL}
          onChange={(value) => setChosen(value ?? ALL)}
          allowDeselect={false}
        />
      </div>
      <div className={styles.place}>
        <Lines key={endpoint?.id ?? ALL} {...{ accountId, endpoint, endpointNames }} />
      </div>
    </Card>
  );
}

interface LinesProps {
  accountId: string;
  /** Undefined for all of them. */
  endpoint: EndpointRow | undefined;
  endpointNames: ReadonlyMap<string, string>;
}

function Lines({ accountId, endpoint, endpointNames }: LinesProps) {
  const feed = useLogFeed(accountId, endpoint ? { endpointId: endpoint.id } : {});
  return (
    <LogView
      feed={feed}
      label={endpoint ? `Log of ${endpoint.name}` : 'Log of all workers'}
      {...(endpoint === undefined && { endpointNames })}
      emptyText="What workers write appears here as it is written. Run a job to start one."
    />
  );
}
