/** Replaces a list that could not be loaded: with the missing capability of its account, or with the error. */
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import type { Account, AccountCapability } from '#contract/app/account.ts';
import { lackOf, useKnownAccounts, useTarget } from '../../client/accounts.ts';
import { useAway, type Source } from '../../client/away.ts';
import { targetAccount } from '../../state/selection.ts';
import { Unsupported } from './Unsupported.tsx';
import { Empty, Notice } from '../primitives/Notice.tsx';
import { reasonWords } from '../text/accountLabels.ts';
import pieces from '../theme/pieces.module.css';
import { t } from '../../language/text.ts';

interface LoadErrorProps {
  /** The capability that the list requires of the target, if it requires one. */
  capability?: AccountCapability;
  source?: Source;
  title: string;
  problem: string;
  retry: () => void;
}

export function LoadError({ capability, source, title, problem, retry }: LoadErrorProps) {
  const { account } = useTarget();
  const away = useAway(source);
  const lack = capability === undefined ? null : lackOf(account, capability);
  if (account !== null && capability !== undefined && lack !== null)
    return <Unsupported account={account} capability={capability} reason={lack} />;
  // The banner says it and has the remedy. What failed is asked again when the target is back.
  if (away !== null) return <BackLater away={away} />;
  return (
    <Empty tone="bad" title={title} action={<Button onClick={retry}>{t`Try again`}</Button>}>
      {reasonWords({ reason: problem })}
    </Empty>
  );
}

/**
 * Stands for content that the page does not have, while its source is away: the banner says so. `away`: by `useAway`.
 */
export function BackLater({ away }: { away: string }) {
  return <Empty tone="off" title={useBackLaterWords(away)} />;
}

/** When content is available again. `away`: by `useAway`. */
export function useBackLaterWords(away: string): string {
  const accountId = targetAccount.use();
  const account = useKnownAccounts()?.find(({ id }) => id === accountId);
  return account?.name === away && needsKey(account)
    ? t`Available again when ${away} has a key that works`
    : t`Available again when ${away} is back`;
}

/** Whether it is a key that an account lacks, and not a connection. */
const needsKey = ({ state }: Account): boolean => state === 'refused' || state === 'no-key' || state === 'locked';

interface UnknownProps {
  /** What failed, as a sentence. */
  title: string;
  problem: string;
  action?: ReactNode;
  source?: Source;
}

/** Stands in a card for values that could not be read. */
export function Unknown({ title, problem, action, source }: UnknownProps) {
  // The banner says why.
  if (useAway(source) !== null) return <p className={pieces.asOf}>{t`Unknown now`}</p>;
  return (
    <Notice tone="wait" title={title} action={action}>
      {reasonWords({ reason: problem })}
    </Notice>
  );
}
