/** The last jobs of an endpoint, and the way to all of them. */
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobs/jobChanges.ts';
import { useIsLastKnown } from '../../client/jobs/lastKnown.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { noFilter, useJobsFilter } from '../../state/jobsFilter.ts';
import { navigate } from '../../state/route.ts';
import { formatAgo, formatCount, formatMoment } from '../../ui/text/format.ts';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import styles from './jobs.module.css';
import { counted, t } from '../../language/text.ts';

const SHOWN = 20;
const TICK_MS = 10_000;

export function JobsTab({ accountId, row }: { accountId: string; row: EndpointRow }) {
  const queries = useQueryClient();
  const now = useNow(TICK_MS);
  const isLastKnown = useIsLastKnown();
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
  if (isError && !data) {
    return <LoadError source="app" title={t`The jobs could not be read`} problem={errorText(error)} retry={ask} />;
  }
  if (data?.matching === 0) {
    return (
      <Empty
        title={t`No jobs yet`}
        action={<Button onClick={() => navigate({ page: 'run', endpointId: row.id })}>{t`Run a job`}</Button>}
      >{t`All jobs of this endpoint appear here, whether you run them or a script sends them.`}</Empty>
    );
  }
  return (
    <div className={styles.jobs}>
      <ul aria-label={t`Last jobs of ${row.name}`} tabIndex={0}>
        {(data?.entries ?? []).map((entry) => (
          <li key={entry.entryId}>
            <button type="button" onClick={() => navigate({ page: 'jobs', entryId: entry.entryId })}>
              <StateChip status={entry.status} isLastKnown={isLastKnown(entry)} />
              {entry.preview === null ? (
                <code>{entry.jobId ?? t`no id`}</code>
              ) : (
                <span className={styles.preview}>{entry.preview}</span>
              )}
              <span title={formatMoment(entry.sentAt)}>{formatAgo(entry.sentAt, now)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.jobsFoot}>
        <span>{data ? counted(data.matching, '{0} job', '{0} jobs', formatCount(data.matching)) : ''}</span>
        <Button
          size="xs"
          variant="default"
          rightSection={<ArrowRight size={13} aria-hidden />}
          onClick={openAll}
        >{t`Open in Jobs`}</Button>
      </div>
    </div>
  );
}
