/** The log of a job that no worker has begun: what the workers of its endpoint wrote while it waited. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobAttempt, LedgerEntry } from '#contract/app/ledger.ts';
import type { LogLine } from '#contract/local/log.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import JobLog from './JobLog.tsx';

const SENT = Date.parse('2026-11-01T10:00:00Z');

const lineAt = (n: number, ms: number, text: string): LogLine => ({
  n,
  at: new Date(ms).toISOString(),
  endpointId: 'e',
  workerId: 'w-1',
  jobId: null,
  stream: 'stderr',
  level: 'error',
  text,
});

function show(entry: LedgerEntry, lines: LogLine[], attempts: readonly JobAttempt[] = []) {
  const filters: unknown[] = [];
  const page = renderPage(<JobLog entry={entry} />, {
    accounts: { list: () => [] },
    jobs: { attempts: () => [...attempts] },
    endpoints: { now: () => ({ rows: [], pause: null }) },
    logs: {
      page({ filter }: { filter: unknown }) {
        filters.push(filter);
        return { lines, more: false, next: null };
      },
      async *follow() {
        await new Promise(() => undefined);
        yield { lines: [] };
      },
    },
  });
  return { filters, ...page };
}

// jsdom lays nothing out: without a height, a list of only the visible rows has none.
beforeEach(() => {
  Object.defineProperties(HTMLElement.prototype, {
    offsetHeight: { configurable: true, value: 600 },
    offsetWidth: { configurable: true, value: 900 },
  });
});

describe('the log of a job that waits', () => {
  it('has what the workers of its endpoint wrote since it was sent, and nothing from before', async () => {
    const { screen, filters } = show(entryOf({ sentAt: SENT }), [
      lineAt(1, SENT - 1000, 'from before'),
      lineAt(2, SENT + 1000, "Cannot find module 'torch'"),
    ]);
    expect(await screen.findByText("Cannot find module 'torch'")).toBeInTheDocument();
    expect(screen.queryByText('from before')).toBeNull();
    // A worker that cannot load its handler has no job.
    expect(filters).toEqual([{ endpointId: 'e' }]);
  });

  it('says that no worker has begun it, as long as there is no line', async () => {
    const { screen } = show(entryOf({ sentAt: SENT }), []);
    expect(await screen.findByText(/^No worker has started this job\./)).toBeVisible();
  });

  it('says after its end that nothing was written', async () => {
    const over = entryOf({ sentAt: SENT, status: 'CANCELLED', finishedAt: SENT + 5000 });
    const { screen } = show(over, [lineAt(1, SENT + 6000, 'from later')]);
    expect(await screen.findByText(/^No worker started this job, and the workers .+ wrote nothing/)).toBeVisible();
    expect(screen.queryByText('from later')).toBeNull();
  });
});

describe('the log of a job that ran', () => {
  it('says where its next attempt begins', async () => {
    const attempt = {
      status: 'FAILED',
      startedAt: SENT,
      finishedAt: SENT + 2000,
      delayTime: 1,
      executionTime: 1,
    } as const;
    const facts = { workerId: 'w-1', error: 'no', outputBytes: 0, chunkCount: 0 };
    const entry = entryOf({
      sentAt: SENT,
      queuedAt: SENT + 60_000,
      startedAt: SENT + 60_001,
      status: 'COMPLETED',
      workerId: 'w-1',
      retries: 1,
    });
    const lines = [lineAt(1, SENT + 1000, 'drawing'), lineAt(2, SENT + 61_000, 'drawing again')];
    const { screen } = show(entry, lines, [{ ...attempt, ...facts, number: 1, endedBy: 'retried', queuedAt: SENT }]);
    await screen.findByText(/^Attempt 2 · /);
    const texts = [...screen.getByRole('region', { name: 'Log of this job' }).querySelectorAll('[data-index]')].map(
      (row) => row.textContent,
    );
    expect(texts).toEqual([
      expect.stringMatching(/^Attempt 1 · /),
      expect.stringContaining('drawing'),
      expect.stringMatching(/^Attempt 2 · /),
      expect.stringContaining('drawing again'),
    ]);
  });
});
