/** The last jobs sent from here to an endpoint, and the way to all of them. */
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobChanges.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { noFilter, useJobsFilter } from '../../state/jobsFilter.ts';
import { navigate } from '../../state/route.ts';
import { formatAgo, formatCount, formatMoment } from '../../ui/text/format.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import styles from './jobs.module.css';

const SHOWN = 20;
const TICK_MS = 10_000;

export function JobsTab({ accountId, row }: { accountId: string; row: EndpointRow }) {
  const queries = useQueryClient();
  const now = useNow(TICK_MS);
  const input = { filter: { accountId, endpointId: row.id }, offset: 0, limit: SHOWN };
  const options = orpc.jobs.list.queryOptions({ input });
  const { data, isError, error } = useQuery(options);
  const ask = () => void queries.invalidateQueries({ queryKey: options.queryKey });
  useMissedChanges(ask);
  useJobChanges((changed) => {
    if (changed.some((entry) => entry.endpointId === row.id)) ask();
  });
  const openAll = () => {
    useJobsFilter.setState({ ...noFilter, endpointId: row.id }, true);
    navigate({ page: 'jobs', entryId: null });
  };
  if (isError) return <Empty title="The jobs could not be read">{errorText(error)}</Empty>;
  if (data?.matching === 0) {
    return (
      <Empty
        title="No job was sent from here yet"
        action={<Button onClick={() => navigate({ page: 'run', endpointId: row.id })}>Run a job</Button>}
      >
        What other programs send counts in the overview; their jobs are not kept here.
      </Empty>
    );
  }
  return (
    <div className={styles.jobs}>
      <ul aria-label={`Last jobs of ${row.name}`} tabIndex={0}>
        {(data?.entries ?? []).map((entry) => (
          <li key={entry.entryId}>
            <button type="button" onClick={() => navigate({ page: 'jobs', entryId: entry.entryId })}>
              <StateChip status={entry.status} />
              <code>{entry.jobId ?? 'no id'}</code>
              <span title={formatMoment(entry.sentAt)}>{formatAgo(entry.sentAt, now)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.jobsFoot}>
        <span>{data ? `${formatCount(data.matching)} sent from here` : ''}</span>
        <Button size="xs" variant="default" rightSection={<ArrowRight size={13} aria-hidden />} onClick={openAll}>
          Open in Jobs
        </Button>
      </div>
    </div>
  );
}
