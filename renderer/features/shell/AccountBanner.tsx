/** A banner over every page while the target is not reachable, slowed, or refuses its key. */
import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Account, AccountState } from '#contract/app/account.ts';
import { testAccount } from '../../client/accounts.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { navigate, useRoute } from '../../state/route.ts';
import { reasonWords, retryWords } from '../../ui/text/accountLabels.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { t } from '../../language/text.ts';

const TICK_MS = 500;

const titles: Partial<Record<AccountState, (name: string) => string>> = {
  offline: (name) => t`${name} cannot be reached.`,
  refused: (name) => t`Key for ${name} was refused.`,
  slowed: (name) => t`${name}: slowed down by the service.`,
  'no-key': (name) => t`There is no key for ${name}.`,
  locked: (name) => t`The key for ${name} is locked.`,
};

const tests: Partial<Record<AccountState, string>> = { offline: t`Retry now`, refused: t`Test`, locked: t`Test` };

export function AccountBanner({ account }: { account: Account }) {
  const { id, name, state, nextTryAt } = account;
  const now = useNow(nextTryAt === null ? null : TICK_MS);
  const test = useMutation({ mutationFn: () => testAccount(id) });
  // The account itself has the same button.
  const isShown = useRoute((route) => route.page === 'accounts' && route.accountId === id);
  const title = titles[state];
  if (title === undefined) return null;
  const next = retryWords(account, now);
  const leadsToKey = !isShown && (state === 'refused' || state === 'no-key');
  return (
    <Notice
      tone={state === 'slowed' || state === 'locked' ? 'wait' : 'bad'}
      title={title(name)}
      action={
        <Group gap={6} wrap="nowrap">
          {leadsToKey && (
            <Button
              size="xs"
              variant="default"
              onClick={() => navigate({ page: 'accounts', accountId: id, asks: 'key' })}
            >
              {state === 'refused' ? t`Replace the key` : t`Enter a key`}
            </Button>
          )}
          {state === 'locked' && (
            <Button
              size="xs"
              variant="default"
              onClick={() => navigate({ page: 'settings', tab: 'keys' })}
            >{t`Unlock`}</Button>
          )}
          {tests[state] !== undefined && (
            <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {tests[state]}
            </Button>
          )}
        </Group>
      }
    >
      {reasonWords(account)} {next} {test.isError && errorText(test.error)}
    </Notice>
  );
}
