import { expect, test } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import { rateKey } from '../../../client/jobs/jobRates.ts';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { costText } from './costText.ts';

const account: Account = { ...thisComputer, capabilities: ['billing'] };
const place = { accountId: account.id, endpointId: 'e' };
/** What the endpoint costs now, US dollars for each millisecond. */
const rates = new Map([[rateKey(account.id, 'e'), 1 / 3_600_000]]);
const done = entryOf({ ...place, status: 'COMPLETED', finishedAt: 2, executionTime: 360_000 });

test('The price when a job began counts, and the words say what is not part of the amount', () => {
  expect(costText({ ...done, pricePerHour: 0.5 }, rates, account)).toEqual({
    amount: '≈ $0.05',
    basis: 'Its run time at $0.50/h, the price when it began. Idle time of workers is not part of it.',
    link: { href: '#/endpoints/e/metrics', label: 'Costs of the endpoint' },
  });
});

test('A job that ran before a price was set has no cost, whatever its endpoint costs now', () => {
  expect(costText({ ...done, pricePerHour: 0 }, rates, account)).toEqual({
    amount: null,
    basis: 'No price was set when it ran.',
    link: { href: '#/gpus', label: 'Set a price' },
  });
});

test('Without the price of its time, the bill of the endpoint gives an estimate, and before it is counted, that is said', () => {
  expect(costText(done, rates, account).amount).toBe('≈ $0.10');
  expect(costText(done, new Map(), account)).toMatchObject({
    amount: null,
    basis: 'Its usage is still being counted, which takes about a minute.',
  });
});

test.each([
  [{ status: 'IN_PROGRESS', executionTime: null, finishedAt: null }, 'Known once the job has run.'],
  [{ status: 'CANCELLED', executionTime: null }, 'The job did not run.'],
] as const)('A job without a run time has no cost: %j', (fields, basis) => {
  expect(costText({ ...done, pricePerHour: 0.5, ...fields }, rates, account)).toEqual({
    amount: null,
    basis,
    link: null,
  });
});

test('A job that was cancelled while it waited has no cost, also where a job without a run time costs nothing', () => {
  const cancelled = { ...done, status: 'CANCELLED', startedAt: null, executionTime: 0, pricePerHour: null } as const;
  expect(costText(cancelled, rates, account)).toEqual({ amount: null, basis: 'The job did not run.', link: null });
});
