/** Says above outdated values from when they are, and why. */
import { Button } from '@mantine/core';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { isAway, useTarget } from '../../client/accounts.ts';
import { useAway, type Source } from '../../client/away.ts';
import { accountStyles } from '../text/accountLabels.ts';
import { formatTime } from '../text/format.ts';
import { Notice } from '../primitives/Notice.tsx';
import pieces from '../theme/pieces.module.css';
import { t } from '../../language/text.ts';

interface StaleNoticeProps {
  /** When the shown values arrived, in milliseconds since the epoch. */
  at: number;
  problem: string;
  /** A description of the values: "These are the last numbers." */
  children: string;
  retry: () => void;
  source?: Source;
}

/** While the banner above the page says that the target is away, only the time stands here. */
export function StaleNotice({ at, problem, children, retry, source }: StaleNoticeProps) {
  const away = useAway(source);
  if (away !== null) return <AsOf at={at} />;
  return (
    <Notice
      tone="wait"
      title={t`As of ${formatTime(at)}.`}
      action={<Button size="xs" variant="default" onClick={retry}>{t`Retry now`}</Button>}
    >
      {problem} {children}
    </Notice>
  );
}

/** The time of the values that are shown while their source is away. */
export function AsOf({ at }: { at: number }) {
  const { account, accountId } = useTarget();
  const isOther = accountId !== THIS_MACHINE && account !== null && isAway(account);
  return (
    <p
      className={pieces.asOf}
      role="status"
    >{t`Last known, ${formatTime(at)} · ${isOther ? accountStyles[account.state].word : t`offline`}`}</p>
  );
}
