/** What was asked of the service about a job, and whom the service told of its end. */
import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { LedgerEntry, LedgerWebhook } from '#contract/app/ledger.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { formatCount, formatDuration, formatMoment } from '../../ui/text/format.ts';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import styles from './serviceTabs.module.css';

/** Reads anew whenever the job has changed. */
function useFresh(entry: LedgerEntry, refetch: () => unknown): void {
  const { status, chunkCount, waiting } = entry;
  useEffect(() => {
    refetch();
    // oxlint-disable-next-line react/exhaustive-deps -- a job that changed was asked about
  }, [status, chunkCount, waiting]);
}

export function RequestsTab({ entry }: { entry: LedgerEntry }) {
  const query = useQuery(orpc.jobs.requests.queryOptions({ input: { entryId: entry.entryId } }));
  useFresh(entry, () => void query.refetch());
  if (query.isError)
    return (
      <Notice tone="bad" title="The requests cannot be read.">
        {errorText(query.error)}
      </Notice>
    );
  if (!query.data) return <div aria-busy="true" aria-label="Loading" role="group" />;
  if (query.data.length === 0) {
    return <Empty title="No requests">Nothing was noted of what was asked about this job.</Empty>;
  }
  return (
    <div className={styles.scroll} role="region" aria-label="Requests" tabIndex={0}>
      <PlainTable
        className={styles.table}
        rows={query.data}
        keyOf={(_, index) => index}
        columns={[
          {
            title: 'Request',
            cell: ({ method, path, error }) => (
              <>
                <b>{method}</b> <code>{path}</code>
                {error !== null && <p>{error}</p>}
              </>
            ),
          },
          {
            title: 'Answer',
            isBad: ({ status }) => status === null || status >= 400,
            cell: ({ status }) => status ?? 'none',
          },
          { title: 'Times', cell: ({ times }) => formatCount(times) },
          { title: 'Took', hint: () => 'On average', cell: ({ tookMs, times }) => formatDuration(tookMs / times) },
          { title: 'Last', cell: ({ lastAt }) => formatMoment(lastAt) },
        ]}
      />
    </div>
  );
}

const stateWords: Record<LedgerWebhook['state'], string> = {
  pending: 'not delivered yet',
  delivered: 'delivered',
  failed: 'not delivered',
};
const none: Record<'yes' | 'none-named' | 'not-by-account', { title: string; words: string }> = {
  yes: { title: 'Nobody was called yet', words: 'The address is called when the job has ended.' },
  'none-named': { title: 'No webhook', words: 'This job named no address to be called at its end.' },
  'not-by-account': {
    title: 'Not told by this account',
    words: 'The job named a webhook, but only an engine of Hangar tells how its calls went.',
  },
};

export function WebhooksTab({ entry }: { entry: LedgerEntry }) {
  const query = useQuery({
    ...orpc.jobs.webhooks.queryOptions({ input: { entryId: entry.entryId } }),
    refetchInterval: ({ state }) => (state.data?.webhooks.some(({ state: now }) => now === 'pending') ? 2000 : false),
  });
  useFresh(entry, () => void query.refetch());
  if (query.isError)
    return (
      <Notice tone="bad" title="The webhooks cannot be read.">
        {errorText(query.error)}
      </Notice>
    );
  if (!query.data) return <div aria-busy="true" aria-label="Loading" role="group" />;
  const { told, webhooks } = query.data;
  if (webhooks.length === 0) return <Empty title={none[told].title}>{none[told].words}</Empty>;
  return (
    <div className={styles.scroll} role="region" aria-label="Webhooks" tabIndex={0}>
      {webhooks.map(({ id, url, state, attempts }) => (
        <section key={id} aria-label={url}>
          <p className={styles.address}>
            <code>{url}</code> {stateWords[state]}
          </p>
          <PlainTable
            className={styles.table}
            rows={attempts}
            keyOf={({ at }) => at}
            columns={[
              {
                title: 'Attempt',
                cell: ({ error }, index) => (
                  <>
                    {index + 1}
                    {error !== null && <p>{error}</p>}
                  </>
                ),
              },
              { title: 'Answer', isBad: ({ error }) => error !== null, cell: ({ status }) => status ?? 'none' },
              { title: 'Took', cell: ({ tookMs }) => formatDuration(tookMs) },
              { title: 'When', cell: ({ at }) => formatMoment(at) },
            ]}
          />
        </section>
      ))}
    </div>
  );
}
