/** The way from a job of a batch back to the table of the batch. */
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { chooseBatch } from '../../../client/jobs/batchView.ts';
import { RouteLink } from '../../../ui/primitives/RouteLink.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import styles from '../jobs.module.css';
import { counted, rich, t } from '../../../language/text.ts';

/** As the app tags the jobs of a batch. */
const BATCH_TAG = /^batch [\da-f]{8}$/;

/** Nothing for a job of no batch, and for one whose batch is gone. */
export function BatchLink({ entry: { accountId, endpointId, endpointName, tags } }: { entry: LedgerEntry }) {
  const { data } = useQuery(
    orpc.batches.list.queryOptions({
      input: { accountId, endpointId },
      enabled: tags.some((tag) => BATCH_TAG.test(tag)),
      retry: false,
    }),
  );
  const batch = data?.find(({ tag }) => tags.includes(tag));
  if (batch === undefined) return null;
  const { batchId, total } = batch;
  const inputs = counted(total, '{0} input', '{0} inputs', formatCount(total));
  return (
    <p className={styles.batch}>
      <ArrowLeft size={13} aria-hidden />{' '}
      {rich`${(
        <RouteLink
          accountId={accountId}
          to={{ page: 'run', endpointId, view: 'batch' }}
          onFollow={() => chooseBatch(accountId, endpointId, batchId)}
        >{t`Batch of ${endpointName}`}</RouteLink>
      )}, ${inputs}`}
    </p>
  );
}
