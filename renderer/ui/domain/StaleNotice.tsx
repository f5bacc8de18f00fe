/** Above what is not as it is now: when it came, why nothing newer does, and when it is tried again. */
import { Button } from '@mantine/core';
import { useTarget } from '../../client/accounts.ts';
import { accountLooks, retryWords } from '../text/accountLabels.ts';
import { Notice } from '../primitives/Notice.tsx';
import { useNow } from '../primitives/useNow.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const TICK_MS = 500;

interface StaleNoticeProps {
  /** When what is shown came, in milliseconds since the epoch. */
  at: number;
  problem: string;
  /** What it is: "These are the last numbers that came." */
  children: string;
  retry: () => void;
}

export function StaleNotice({ at, problem, children, retry }: StaleNoticeProps) {
  const { account } = useTarget();
  const isAway = account !== null && (account.state === 'offline' || account.state === 'slowed');
  const now = useNow(isAway && account.nextTryAt !== null ? TICK_MS : null);
  const state = isAway ? ` · ${accountLooks[account.state].word}` : '';
  const next = isAway ? retryWords(account, now) : null;
  return (
    <Notice
      tone="wait"
      title={`As of ${clock.format(at)}${state}${next === null ? '' : `, ${next.startsWith('in') ? `retrying ${next}` : next}`}.`}
      action={
        <Button size="xs" variant="default" onClick={retry}>
          Retry now
        </Button>
      }
    >
      {problem} {children}
    </Notice>
  );
}
