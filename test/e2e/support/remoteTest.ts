/**
 * What browser tests with the remote service share: one of their own, how it is added as an account, and a worker that
 * waits.
 */
import { startRemote, type Remote } from '../../support/remote/remote.ts';
import { AccountsPage, type NewAccount } from '../pages/accountsPage.ts';
import { test as base } from './host.ts';

export const test = base.extend<{ accounts: AccountsPage; remote: Remote }>({
  accounts: ({ page }, use) => use(new AccountsPage(page)),
  remote: async ({}, use) => {
    await using remote = await startRemote();
    await use(remote);
  },
});

/** The account as most people have it: REST v2, and no GraphQL. */
export const cloudV2 = ({ v2, key }: Remote, name: string): NewAccount => ({
  kind: 'RunPod',
  name,
  key,
  addresses: { Jobs: `${v2.jobs}/v2`, REST: `${v2.management}/v2`, GraphQL: '' },
});

/** The account by the three addresses of the description: jobs, REST v1, GraphQL. */
export const cloudV1 = ({ v1, key }: Remote, name: string): NewAccount => ({
  kind: 'Another service with this API',
  name,
  key,
  addresses: { Jobs: v1.jobs, REST: v1.management, GraphQL: v1.graphql },
});

/** An endpoint that streams the words of `text`; with `waits` it stops after the first one until `goOn`. */
export function addWords(remote: Remote): { goOn: () => void } {
  const waiting = Promise.withResolvers<undefined>();
  remote.addEndpoint({ name: 'stream-words' }, async ({ input, chunk }) => {
    const { text, waits } = input as { text: string; waits?: boolean };
    const [first = '', ...others] = text.split(' ');
    chunk(first);
    if (waits) await waiting.promise;
    others.forEach((word) => chunk(` ${word}`));
    return text;
  });
  return { goOn: () => waiting.resolve(undefined) };
}
