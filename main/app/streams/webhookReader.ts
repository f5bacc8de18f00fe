/** Follows the webhooks of an ended job until no more results follow. */
import { isTerminal } from '#contract/api/job.ts';
import { toAppError } from '#contract/core/errors.ts';
import type { LedgerEntry, LedgerWebhook } from '#contract/app/ledger.ts';
import type { WebhookDelivery } from '#contract/api/webhook.ts';
import { AccountGone, createAsking, KeyRefused, UnreachableError } from './asking.ts';
import type { StreamsOptions } from './port.ts';
import { retryDelayMs } from './circuitBreaker.ts';
import { restUntil } from './wakeup.ts';

export interface WebhookReaderOptions extends StreamsOptions {
  entry: LedgerEntry;
  jobId: string;
  signal: AbortSignal;
}

/** Delay between two polls: until the next attempt is due, within these limits. */
const LOOK_MS = { soonest: 500, latest: 15_000 };

const toLedger = ({ id, url, jobStatus, state, nextAttemptAt, attempts }: WebhookDelivery): LedgerWebhook => ({
  id,
  url,
  jobStatus,
  state,
  nextAttemptAt: nextAttemptAt === null ? null : Date.parse(nextAttemptAt),
  attempts: attempts.map(({ at, tookMs, status, error }) => ({ at: Date.parse(at), tookMs, status, error })),
});

/**
 * Resolves when all results are noted, or when the signal is aborted. After AccountGone it notes that no more results
 * follow.
 */
export async function readWebhooksToTheirEnd(options: WebhookReaderOptions): Promise<void> {
  const { entry, jobId, signal, journal, clock, logger, wakeup } = options;
  const { entryId } = entry;
  // Problems of the webhooks are no problems of the job, which has ended.
  const asking = createAsking({ ...options, onTrouble: () => undefined });
  let failures = 0;

  /** Returns the delay until the next poll; null if all is known. */
  async function poll(): Promise<number | null> {
    if (asking.source().local === null || !isTerminal(entry.status)) {
      journal.noteWebhooks(entryId, asking.source().local === null ? null : [], true);
      return null;
    }
    const deliveries = await asking.ask(null, async ({ local }) => (local ? await local.webhooks(jobId, signal) : []));
    const webhooks = deliveries.map(toLedger);
    const due = webhooks.filter(({ state }) => state === 'pending').map(({ nextAttemptAt }) => nextAttemptAt ?? 0);
    journal.noteWebhooks(entryId, webhooks, due.length === 0);
    if (due.length === 0) return null;
    return Math.min(LOOK_MS.latest, Math.max(LOOK_MS.soonest, Math.min(...due) - clock.now() + LOOK_MS.soonest));
  }

  while (!signal.aborted) {
    try {
      const waitMs = await poll();
      if (waitMs === null) return;
      failures = 0;
      await restUntil(clock, waitMs, signal, wakeup);
    } catch (thrown) {
      if (signal.aborted) break;
      if (thrown instanceof UnreachableError) continue;
      const error = toAppError(thrown);
      if (thrown instanceof AccountGone || error.code === 'NOT_FOUND') {
        journal.noteWebhooks(entryId, [], true);
        return;
      }
      // The next start of the app continues with it.
      if (thrown instanceof KeyRefused) return;
      logger.debug({ entryId, reason: error.message }, 'reading the webhooks of a job failed; trying again');
      await restUntil(clock, retryDelayMs(failures, error, options.random), signal, wakeup);
      failures += 1;
    }
  }
  if (signal.reason instanceof AccountGone) journal.noteWebhooks(entryId, [], true);
}
