/** In place of what an account does not offer: why, and what can be done instead. */
import { useState } from 'react';
import { Button, Group } from '@mantine/core';
import type { Account, AccountCapability } from '#contract/app/account.ts';
import { testAccount } from '../../client/accounts.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { showTargets } from '../../state/overlays.ts';
import { capabilityWords } from '../text/accountLabels.ts';
import { Empty } from '../primitives/Notice.tsx';

interface LackingProps {
  account: Account;
  capability: AccountCapability;
  reason: string;
}

export function Lacking({ account, capability, reason }: LackingProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const look = () => {
    setBusy(true);
    setProblem(null);
    testAccount(account.id)
      .catch((error: unknown) => setProblem(errorText(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Empty
      title={`${account.name} does not offer this: ${capabilityWords[capability]}`}
      action={
        <Group gap={8} justify="center">
          <Button variant="default" loading={busy} onClick={look}>
            Look again
          </Button>
          <Button variant="default" onClick={() => showTargets(true)}>
            Choose another target
          </Button>
        </Group>
      }
    >
      {reason} {problem}
    </Empty>
  );
}
