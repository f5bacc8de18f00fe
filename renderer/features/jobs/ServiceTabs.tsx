/** The requests that the service got about a job, and the webhooks that it sent at its end. */
import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { LedgerEntry, LedgerWebhook } from '#contract/app/ledger.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobs/jobChanges.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { formatCount, formatDuration, formatMoment, formatWhen } from '../../ui/text/format.ts';
import { shortId } from '../../ui/domain/jobText.ts';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { TabSkeleton } from './inspector/TabSkeleton.tsx';
import styles from './serviceTabs.module.css';
import { t } from '../../language/text.ts';

/** Reads again after each change of the job. */
function useFresh(entry: LedgerEntry, refetch: () => unknown): void {
  const { status, chunkCount, waiting } = entry;
  useEffect(() => {
    refetch();
    // oxlint-disable-next-line react/exhaustive-deps -- a job that changed was asked about
  }, [status, chunkCount, waiting]);
}

/** The path of a request without what all requests of the job have: "status/019a…f3e1" of "/v2/e1/status/019a…". */
const shortPath = (path: string, { endpointId, jobId }: LedgerEntry): string =>
  (jobId === null ? path : path.replace(jobId, shortId(jobId))).replace(`/v2/${endpointId}/`, '');

export function RequestsTab({ entry }: { entry: LedgerEntry }) {
  const query = useQuery(orpc.jobs.requests.queryOptions({ input: { entryId: entry.entryId } }));
  useFresh(entry, () => void query.refetch());
  if (query.isError)
    return (
      <Notice tone="bad" title={t`The requests cannot be read.`}>
        {errorText(query.error)}
      </Notice>
    );
  if (!query.data) return <TabSkeleton />;
  if (query.data.length === 0) {
    return <Empty title={t`No requests`}>{t`No requests about this job were recorded.`}</Empty>;
  }
  return (
    <div className={styles.scroll} role="region" aria-label={t`Requests`} tabIndex={0}>
      <PlainTable
        className={`${styles.table} ${styles.requests}`}
        rows={query.data}
        keyOf={(_, index) => index}
        columns={[
          {
            title: t`Request`,
            hint: ({ path }) => path,
            cell: ({ method, path, error }) => (
              <>
                <b>{method}</b> <code>{shortPath(path, entry)}</code>
                {error !== null && <p>{error}</p>}
              </>
            ),
          },
          {
            title: t`Answer`,
            isBad: ({ status }) => status === null || status >= 400,
            cell: ({ status }) => status ?? t`none`,
          },
          { title: t`Times`, cell: ({ times }) => formatCount(times) },
          {
            title: t`Duration`,
            hint: () => t`On average`,
            cell: ({ tookMs, times }) => formatDuration(tookMs / times),
          },
          {
            title: t`Last`,
            hint: ({ lastAt }) => formatMoment(lastAt),
            cell: ({ lastAt }) => formatWhen(lastAt, entry.sentAt),
          },
        ]}
      />
    </div>
  );
}

const stateWords: Record<LedgerWebhook['state'], string> = {
  pending: t`not delivered yet`,
  delivered: t`delivered`,
  failed: t`not delivered`,
};
const none: Record<'yes' | 'none-named' | 'not-by-account', { title: string; words: string }> = {
  yes: { title: t`Not called yet`, words: t`The webhook is called when the job ends.` },
  'none-named': { title: t`No webhook`, words: t`This job has no webhook.` },
  'not-by-account': {
    title: t`Not reported by this account`,
    words: t`The job has a webhook, but only Hangar engines report its calls.`,
  },
};

export function WebhooksTab({ entry }: { entry: LedgerEntry }) {
  const { entryId } = entry;
  const query = useQuery(orpc.jobs.webhooks.queryOptions({ input: { entryId } }));
  const readAgain = () => void query.refetch();
  useFresh(entry, readAgain);
  // The app reports each attempt as a change of the job, which has the same fields as before.
  useJobChanges((changed) => {
    if (changed.some((one) => one.entryId === entryId)) readAgain();
  });
  useMissedChanges(readAgain);
  if (query.isError)
    return (
      <Notice tone="bad" title={t`The webhooks cannot be read.`}>
        {errorText(query.error)}
      </Notice>
    );
  if (!query.data) return <TabSkeleton />;
  const { told: availability, webhooks } = query.data;
  if (webhooks.length === 0) return <Empty title={none[availability].title}>{none[availability].words}</Empty>;
  return (
    <div className={styles.scroll} role="region" aria-label={t`Webhooks`} tabIndex={0}>
      {webhooks.map(({ id, url, state, attempts }) => (
        <section key={id} aria-label={url}>
          <p className={styles.address}>
            <code>{url}</code> <span data-state={state}>{stateWords[state]}</span>
          </p>
          <PlainTable
            className={styles.table}
            rows={attempts}
            keyOf={({ at }) => at}
            below={({ error }) => error}
            columns={[
              { title: t`Attempt`, cell: (_, index) => index + 1 },
              { title: t`Answer`, isBad: ({ error }) => error !== null, cell: ({ status }) => status ?? t`none` },
              { title: t`Duration`, cell: ({ tookMs }) => formatDuration(tookMs) },
              { title: t`When`, hint: ({ at }) => formatMoment(at), cell: ({ at }) => formatWhen(at, entry.sentAt) },
            ]}
          />
        </section>
      ))}
    </div>
  );
}
