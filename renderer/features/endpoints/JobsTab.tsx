/** The last jobs of an endpoint, and the way to all of them. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAccounts } from '../../client/accounts.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobs/jobChanges.ts';
import { useJobRates, type JobRates } from '../../client/jobs/jobRates.ts';
import { useIsLastKnown } from '../../client/jobs/lastKnown.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { noFilter, useJobsFilter } from '../../state/jobsFilter.ts';
import { navigate } from '../../state/route.ts';
import { timeTexts } from '../../ui/job/list/timeTexts.ts';
import { formatAgo, formatCount, formatMoment } from '../../ui/text/format.ts';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { costText } from '../../ui/job/cost/costText.ts';
import { WhatLine } from '../../ui/job/list/WhatLine.tsx';
import { sourceOf, sourceWords } from '../../ui/domain/jobText.ts';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import styles from './jobs.module.css';
import { counted, t } from '../../language/text.ts';

const SHOWN = 20;
const TICK_MS = 1000;
const SKELETON_WIDTHS = ['62%', '48%', '70%', '40%'];

export function JobsTab({ accountId, row }: { accountId: string; row: EndpointRow }) {
  const queries = useQueryClient();
  const now = useNow(TICK_MS);
  const isLastKnown = useIsLastKnown();
  const account = useAccounts()?.find(({ id }) => id === accountId);
  const rates = useJobRates([accountId]);
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
      <ul aria-label={t`Last jobs of ${row.name}`} tabIndex={0} aria-busy={data === undefined || undefined}>
        {(data?.entries ?? []).map((entry) => (
          <li key={entry.entryId}>
            <button type="button" onClick={() => navigate({ page: 'jobs', entryId: entry.entryId })}>
              <StateChip status={entry.status} isLastKnown={isLastKnown(entry)} />
              <span className={styles.about}>
                <WhatLine entry={entry} isLastKnown={isLastKnown(entry)} />
                <Facts entry={entry} now={isLastKnown(entry) ? null : now} rates={rates} account={account} />
              </span>
              <span className={styles.when} title={formatMoment(entry.sentAt)}>
                {formatAgo(entry.sentAt, now)}
              </span>
            </button>
          </li>
        ))}
        {data === undefined && SKELETON_WIDTHS.map((width) => <SkeletonRow key={width} width={width} />)}
      </ul>
      <div className={styles.jobsFoot}>
        <span>
          {data ? counted(data.matching, '{0} job in all', '{0} jobs in all', formatCount(data.matching)) : ''}
        </span>
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

interface FactsProps {
  entry: LedgerEntry;
  /** Null while nobody can be asked about the job: its times do not count on. */
  now: number | null;
  rates: JobRates;
  account: Account | undefined;
}

/** Where it came from, how long it waited and ran, and what it cost, as far as these are known. */
function Facts({ entry, now, rates, account }: FactsProps) {
  const { waited, ran } = timeTexts(entry, now);
  const { amount, basis } = costText(entry, rates, account);
  return (
    <span className={styles.facts}>
      <span title={sourceWords(entry)}>{sourceOf(entry)}</span>
      {waited !== null && <span>{t`waited ${waited}`}</span>}
      {ran !== null && <span>{t`ran ${ran}`}</span>}
      {amount !== null && <span title={basis}>{amount}</span>}
    </span>
  );
}

function SkeletonRow({ width }: { width: string }) {
  return (
    <li aria-hidden className={styles.skeleton}>
      <Skeleton h={18} w={72} radius={9} />
      <Skeleton h={10} w={width} radius={4} />
    </li>
  );
}
