/** Replaces a feature that an account lacks: with the reason, and alternatives. */
import { useState } from 'react';
import { Button, Group } from '@mantine/core';
import type { Account, AccountCapability } from '#contract/app/account.ts';
import { testAccount } from '../../client/accounts.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { showTargets } from '../../state/overlays.ts';
import { capabilityWords } from '../text/accountLabels.ts';
import { Empty } from '../primitives/Notice.tsx';
import { t } from '../../language/text.ts';

interface UnsupportedProps {
  account: Account;
  capability: AccountCapability;
  reason: string;
}

export function Unsupported({ account, capability, reason }: UnsupportedProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const test = () => {
    setBusy(true);
    setProblem(null);
    testAccount(account.id)
      .catch((error: unknown) => setProblem(errorText(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Empty
      title={t`${account.name} does not offer this: ${capabilityWords[capability]}`}
      action={
        <Group gap={8} justify="center">
          <Button variant="default" loading={busy} onClick={test}>{t`Check again`}</Button>
          <Button variant="default" onClick={() => showTargets(true)}>{t`Choose where it runs`}</Button>
        </Group>
      }
    >
      {reason} {problem}
    </Empty>
  );
}
