/** What is noted of the service of a job: the requests to it, and its calls of webhooks. */
import { hasEnded, type Ledger } from '../port.ts';
import { createRequestRows } from '../rows/requests.ts';
import type { LedgerParts } from './parts.ts';

type ServiceNotes = Pick<
  Ledger,
  'noteRequest' | 'requests' | 'noteWebhooks' | 'webhooks' | 'awaitsWebhooks' | 'awaitWebhooks' | 'awaitingWebhooks'
>;

/** The requests to the service about a job, and the reported calls of its webhooks. */
export function createServiceNotes({ sql, batch, entries, webhookRows, notify }: LedgerParts): ServiceNotes {
  const requestRows = createRequestRows(sql);
  const { seqOf } = entries;
  return {
    noteRequest(entryId, request) {
      const seq = seqOf(entryId);
      if (seq !== -1) batch.write(() => requestRows.note(seq, request));
    },
    requests: (entryId) => requestRows.of(seqOf(entryId)),
    noteWebhooks(entryId, webhooks, isLast) {
      const seq = seqOf(entryId);
      if (seq === -1) return;
      batch.write(() => webhookRows.note(seq, webhooks, isLast));
      notify(entryId);
    },
    webhooks: (entryId) => webhookRows.of(seqOf(entryId)),
    awaitsWebhooks: (entryId) => webhookRows.isPending(seqOf(entryId)),
    awaitWebhooks: (entryId) => batch.write(() => webhookRows.ask(seqOf(entryId))),
    awaitingWebhooks: () => entries.where("e.webhook = 'asked'").filter(hasEnded),
  };
}
