import { waitFor } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import type { PodsNow } from '#contract/bridge/pod.ts';
import { thisComputer } from '../../test/support/page/accounts.ts';
import { renderPage } from '../../test/support/page/render.tsx';
import { PodFeeds } from './podFeeds.tsx';
import { orpc } from './transport/orpc.ts';

const noPods: PodsNow = { rows: [], factsProblem: null, lacks: [], containerProblem: null };
const cloud: Account = { ...thisComputer, id: 'cloud', kind: 'cloud', capabilities: ['jobs', 'pods'] };
const away: Account = { ...thisComputer, id: 'away', state: 'offline' };

/** A list of Pods as pages have it. */
function PodList() {
  useQuery(orpc.pods.now.queryOptions({ input: { accountId: thisComputer.id } }));
  return null;
}

it('Pods are read again when an engine reports a change, one read at a time, and only reachable engines are asked', async () => {
  const followed: string[] = [];
  let reads = 0;
  let readsUnderWay = 0;
  let mostReads = 0;
  let change = (): void => undefined;
  let finishRead = (): void => undefined;
  renderPage(
    <>
      <PodFeeds />
      <PodList />
    </>,
    {
      accounts: { list: () => [thisComputer, cloud, away] },
      pods: {
        async now() {
          reads++;
          mostReads = Math.max(mostReads, ++readsUnderWay);
          await new Promise<void>((resolve) => (finishRead = resolve));
          readsUnderWay--;
          return noPods;
        },
        async *changes({ accountId }) {
          followed.push(accountId);
          while (true) {
            await new Promise<void>((resolve) => (change = resolve));
            yield { podIds: ['p'] };
          }
        },
      },
    },
  );
  await waitFor(() => expect(reads).toBe(1));
  finishRead();
  await waitFor(() => expect(readsUnderWay).toBe(0));
  await waitFor(() => expect(followed).toEqual([thisComputer.id]));
  for (let count = 0; count < 3; count++) {
    const before = change;
    change();
    await waitFor(() => expect(change).not.toBe(before));
  }
  await waitFor(() => expect(reads).toBe(2));
  finishRead();
  // The changes during the read are read after it, once.
  await waitFor(() => expect(reads).toBe(3));
  finishRead();
  await waitFor(() => expect(readsUnderWay).toBe(0));
  expect([reads, mostReads]).toEqual([3, 1]);
});
