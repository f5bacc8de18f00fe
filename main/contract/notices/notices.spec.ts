import { expect, it } from 'vitest';
import type { Account } from '../app/account.ts';
import type { PriceAlert } from '../app/price.ts';
import type { LedgerEntry } from '../app/ledger.ts';
import { createTexts } from '../language/translation.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { noticeOfJob, noticeOfPause, noticesOfAccounts, noticesOfAlerts } from './notices.ts';

const words = createTexts('en', null);
const now = 1_000_000_000_000;
const entry = (change: Partial<LedgerEntry>): LedgerEntry =>
  entryOf({
    entryId: 'e-1',
    status: 'COMPLETED',
    sentAt: now - 120_000,
    startedAt: now - 95_000,
    finishedAt: now,
    ...change,
  });

it('a long job that is done is told with its time', () => {
  expect(noticeOfJob(words, entry({}), now)).toMatchObject({
    kind: 'job-ended',
    body: 'It took 1 min 35 s.',
    address: '#/jobs/e-1',
  });
});

it('a short job, one that goes on, one that was cancelled and one that ended long ago are not told', () => {
  expect(noticeOfJob(words, entry({ startedAt: now - 30_000 }), now)).toBeNull();
  expect(noticeOfJob(words, entry({ status: 'IN_PROGRESS', finishedAt: null }), now)).toBeNull();
  expect(noticeOfJob(words, entry({ status: 'CANCELLED' }), now)).toBeNull();
  expect(noticeOfJob(words, entry({}), now + 6 * 60_000)).toBeNull();
});

it('a failure is told however short the job was, with the first line of its reason', () => {
  const failed = entry({ status: 'FAILED', startedAt: now - 10, error: 'no such file\n  at handler.py' });
  expect(noticeOfJob(words, failed, now)).toMatchObject({ kind: 'job-failed', body: 'no such file' });
});

it('an account that begins to refuse its key is told once', () => {
  const account = (state: Account['state']): Account =>
    ({ id: 'a', name: 'Cloud', state, reason: 'It says 401.' }) as Account;
  expect(noticesOfAccounts(words, [account('ok')], [account('refused')])).toMatchObject([
    { title: 'Cloud refuses its key', body: 'It says 401.', address: '#/accounts/a' },
  ]);
  expect(noticesOfAccounts(words, [account('refused')], [account('refused')])).toEqual([]);
  expect(noticesOfAccounts(words, [], [account('refused')])).toEqual([]);
});

it('a pause by a rule is told once, and that of a person is not', () => {
  const running = { message: null, isByRule: false };
  const byRule = { message: 'Paused because game.exe runs.', isByRule: true };
  expect(noticeOfPause(words, running, byRule)).toEqual({
    kind: 'paused-by-rule',
    title: 'Jobs on this computer are paused',
    body: 'Paused because game.exe runs.',
    address: '#/machine',
  });
  expect(noticeOfPause(words, byRule, { ...byRule, message: 'Paused on battery.' })).toBeNull();
  expect(noticeOfPause(words, running, { ...byRule, isByRule: false })).toBeNull();
});

it('an alert about a GPU is told when it begins to hold', () => {
  const waits: PriceAlert = {
    alertId: 'x',
    accountId: 'a',
    gpuTypeId: 'NVIDIA L4',
    gpuName: 'L4',
    below: 0.4,
    createdAt: now,
    metAt: null,
    price: null,
    checkedAt: null,
  };
  const holds = { ...waits, metAt: now, price: 0.39, checkedAt: now };
  const accounts = [{ id: 'a', name: 'Cloud' }];
  expect(noticesOfAlerts(words, [waits], [holds], accounts)).toEqual([
    {
      kind: 'gpu-price',
      title: 'L4 costs at most $0.40 per hour on Cloud',
      body: 'One costs $0.39 per hour.',
      address: '#/gpus',
      accountId: 'a',
    },
  ]);
  const stock = { below: null, price: null };
  expect(noticesOfAlerts(words, [waits], [{ ...holds, ...stock }], accounts)).toMatchObject([
    { title: 'L4 is in stock on Cloud', body: '' },
  ]);
  expect(noticesOfAlerts(words, [holds], [{ ...holds, price: 0.3 }], accounts)).toEqual([]);
  expect(noticesOfAlerts(words, [], [holds], accounts)).toEqual([]);
  expect(noticesOfAlerts(words, [holds], [waits], accounts)).toEqual([]);
});
