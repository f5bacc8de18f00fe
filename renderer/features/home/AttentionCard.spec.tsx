import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import type { JobsToAttend } from '#contract/app/ledger.ts';
import type { EngineFacts } from '#contract/local/engine.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useJobChangesFeed } from '../../client/jobs/jobChanges.ts';
import { AttentionCard } from './AttentionCard.tsx';

const nobody: JobsToAttend = { failed: [], otherFailed: 0, otherLastAt: 0, waiting: [], undelivered: null };
const failures = (jobs: number): JobsToAttend => ({
  ...nobody,
  failed: [
    {
      accountId: thisComputer.id,
      endpointId: 'e',
      endpointName: 'sdxl',
      headline: 'No file',
      jobs,
      lastAt: Date.now(),
      entryId: 'the last one',
    },
  ],
});

const engineFacts: EngineFacts = {
  name: 'hangar',
  version: '1.2.3',
  startedAt: '2026-11-26T12:00:00Z',
  notices: [],
  disk: { freeBytes: null, full: false, reserveBytes: 0 },
  backup: { lastAt: null, problem: null },
};
const never = new Promise<void>(() => undefined);
const aborted = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve));

function FollowedCard() {
  useJobChangesFeed();
  return <AttentionCard accounts={[thisComputer]} pods={[]} />;
}

/** Shows the card. A job changes once `failed` resolves. */
function render(toAttend: () => JobsToAttend | Promise<JobsToAttend>, failed: Promise<void>) {
  return renderPage(<FollowedCard />, {
    accounts: { list: () => [thisComputer] },
    machine: { facts: () => engineFacts },
    prices: {
      async *alerts(_, signal) {
        yield [];
        await aborted(signal);
      },
    },
    jobs: {
      toAttend,
      expiring: () => [],
      async *changes(_, signal) {
        await failed;
        yield { entries: [entryOf({ status: 'FAILED' })], others: 0 };
        await aborted(signal);
      },
    },
  });
}

it('The card says that nothing needs a person only once the jobs are counted', async () => {
  let count = (_: JobsToAttend): void => undefined;
  const counted = new Promise<JobsToAttend>((resolve) => (count = resolve));
  const { screen } = render(() => counted, never);
  expect(await screen.findByRole('region', { name: 'Needs attention' })).toHaveTextContent(/^Needs attention$/);
  count(nobody);
  expect(await screen.findByText('Nothing needs your attention.')).toBeVisible();
});

it('The card says why jobs could not be counted, and counts them again on request', async () => {
  let isBroken = true;
  const { screen, user } = render(() => {
    if (isBroken) throw new ORPCError('INTERNAL_SERVER_ERROR', { message: 'The ledger cannot be read.' });
    return failures(3);
  }, never);
  expect(await screen.findByText('The failed and the waiting jobs could not be counted.')).toBeVisible();
  expect(screen.getByRole('region', { name: 'Needs attention' })).toHaveTextContent('The ledger cannot be read.');
  expect(screen.queryByText('Nothing needs your attention.')).toBeNull();
  isBroken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('3 failed')).toBeVisible();
  expect(screen.queryByText('The failed and the waiting jobs could not be counted.')).toBeNull();
});

it('The jobs are counted again when one of them has changed', async () => {
  let fail = (): void => undefined;
  const failed = new Promise<void>((resolve) => (fail = resolve));
  let jobs = 3;
  const { screen } = render(() => failures(jobs), failed);
  expect(await screen.findByText('3 failed')).toBeVisible();
  jobs = 4;
  fail();
  expect(await screen.findByText('4 failed')).toBeVisible();
});

/** As many errors of one endpoint. */
function errors(count: number): JobsToAttend {
  const { failed } = failures(1);
  return {
    ...nobody,
    failed: failed.flatMap((group) =>
      Array.from({ length: count }, (_, at) => ({ ...group, headline: `Error ${at}` })),
    ),
  };
}

it('Of more than six only the first five are shown, and a click shows all', async () => {
  const { screen, user } = render(() => errors(7), never);
  expect(await screen.findByText('sdxl: Error 0')).toBeVisible();
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
  await user.click(screen.getByRole('button', { name: 'Show all 7' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(7);
  expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull();
});

it('Up to six are all shown', async () => {
  const { screen } = render(() => errors(6), never);
  expect(await screen.findByText('sdxl: Error 5')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull();
});

it('One error is dismissed, and the other ones of its endpoint stay; so is what is only counted', async () => {
  const [group] = failures(2).failed;
  const jobs = {
    ...nobody,
    failed: [group!, { ...group!, headline: 'Out of memory' }],
    otherFailed: 7,
    otherLastAt: 1,
  };
  const { screen, user } = render(() => jobs, never);
  await user.click(await screen.findByRole('button', { name: 'Dismiss: sdxl: No file' }));
  expect(screen.queryByText('sdxl: No file')).toBeNull();
  expect(screen.getByText('sdxl: Out of memory')).toBeVisible();
  const others = '7 more jobs failed, with other errors';
  await user.click(screen.getByRole('button', { name: `Dismiss: ${others}` }));
  expect(screen.queryByText(others)).toBeNull();
  expect(screen.getByText('sdxl: Out of memory')).toBeVisible();

  await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
  expect(await screen.findByText('sdxl: No file')).toBeVisible();
});
