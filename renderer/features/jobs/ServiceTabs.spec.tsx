import { act, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { JobChanges, LedgerWebhook } from '#contract/app/ledger.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { createSampler } from '../../../test/support/page/sampler.ts';
import { useJobChangesFeed } from '../../client/jobs/jobChanges.ts';
import { WebhooksTab } from './ServiceTabs.tsx';

afterEach(() => void vi.useRealTimers());

const entry = entryOf({ status: 'COMPLETED' });

function Tab() {
  useJobChangesFeed();
  return <WebhooksTab entry={entry} />;
}

it('each attempt of a pending webhook is shown as the app reports it, and nothing asks in between', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const attempts: LedgerWebhook['attempts'] = [];
  let state: LedgerWebhook['state'] = 'pending';
  let questions = 0;
  const changes = createSampler<JobChanges>();
  const { screen } = renderPage(<Tab />, {
    jobs: {
      changes: (_, signal) => changes.open({ everyMs: 0 }, signal),
      webhooks() {
        questions++;
        const url = 'https://mine.example';
        const webhook = { id: 'w', url, jobStatus: 'COMPLETED' as const, state, nextAttemptAt: 1, attempts };
        return { told: 'yes', webhooks: [webhook] };
      },
    },
  });
  expect(await screen.findByText('not delivered yet')).toBeVisible();
  const before = questions;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await changes.say({ entries: [entryOf({ entryId: 'another' })], others: 0 });
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(questions).toBe(before);

  attempts.push({ at: 1, tookMs: 5, status: 500, error: 'It answered with 500.' });
  await changes.say({ entries: [entry], others: 0 });
  expect(await screen.findByText('It answered with 500.')).toBeVisible();
  attempts.push({ at: 2, tookMs: 5, status: 200, error: null });
  state = 'delivered';
  await changes.say({ entries: [entry], others: 0 });
  expect(await screen.findByText('delivered')).toBeVisible();
  await waitFor(() => expect(questions).toBe(before + 2));
});
