/** In place of a list that did not come: what its account lacks where that is the reason, else what went wrong. */
import { Button } from '@mantine/core';
import type { AccountCapability } from '#contract/app/account.ts';
import { lackOf, useTarget } from '../../client/accounts.ts';
import { Lacking } from './Unsupported.tsx';
import { Empty } from '../primitives/Notice.tsx';

interface UnreadProps {
  /** What the list needs of the target. */
  capability: AccountCapability;
  title: string;
  problem: string;
  retry: () => void;
}

export function Unread({ capability, title, problem, retry }: UnreadProps) {
  const { account } = useTarget();
  const lack = lackOf(account, capability);
  if (account !== null && lack !== null) return <Lacking account={account} capability={capability} reason={lack} />;
  return (
    <Empty title={title} action={<Button onClick={retry}>Try again</Button>}>
      {problem}
    </Empty>
  );
}
