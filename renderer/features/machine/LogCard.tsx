/** The log of the workers of all endpoints, or of one. */
import { useState } from 'react';
import { Select } from '@mantine/core';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useLogFeed } from '../../client/logFeed.ts';
import { useCommands } from '../../state/commands.ts';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { useHandlerCodes } from '../../ui/endpoint/useHandlerCodes.ts';
import { LogView } from '../../ui/log/LogView.tsx';
import styles from './log.module.css';
import page from './machine.module.css';
import { t } from '../../language/text.ts';

const ALL = '';

interface LogCardProps {
  accountId: string;
  /** Undefined until they are loaded. */
  endpoints: readonly EndpointRow[] | undefined;
  endpointNames: ReadonlyMap<string, string>;
}

export function LogCard({ accountId, endpoints, endpointNames }: LogCardProps) {
  const [chosen, setChosen] = useState(ALL);
  const endpoint = endpoints?.find(({ id }) => id === chosen);
  useCommands([
    endpoint && { label: t`Show the log of all endpoints`, run: () => setChosen(ALL) },
    ...(endpoints ?? []).map(
      ({ id, name }) => id !== endpoint?.id && { label: t`Show the log of ${name}`, run: () => setChosen(id) },
    ),
  ]);
  return (
    <Card aria-label={t`Log`}>
      <CardHead title={t`Log`}>
        <Select
          className={page.endpointSelect ?? ''}
          aria-label={t`Endpoint of the log`}
          data={[
            { value: ALL, label: t`All endpoints` },
            ...(endpoints ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={endpoint?.id ?? ALL}
          onChange={(value) => setChosen(value ?? ALL)}
          allowDeselect={false}
        />
      </CardHead>
      <div className={styles.place}>
        <Lines key={endpoint?.id ?? ALL} accountId={accountId} endpoint={endpoint} endpointNames={endpointNames} />
      </div>
    </Card>
  );
}

interface LinesProps {
  accountId: string;
  /** Undefined: all endpoints. */
  endpoint: EndpointRow | undefined;
  endpointNames: ReadonlyMap<string, string>;
}

function Lines({ accountId, endpoint, endpointNames }: LinesProps) {
  const codes = useHandlerCodes(accountId);
  const feed = useLogFeed(accountId, endpoint ? { endpointId: endpoint.id } : {});
  return (
    <LogView
      feed={feed}
      label={endpoint ? t`Log of ${endpoint.name}` : t`Log of all workers`}
      codes={codes}
      {...(endpoint === undefined && { endpointNames })}
      emptyText={t`Output of workers appears here live. Run a job to start one.`}
    />
  );
}
