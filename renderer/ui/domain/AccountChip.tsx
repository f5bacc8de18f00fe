/** The health of an account as shape, word and colour. */
import { Check, CircleHelp, CloudOff, Hourglass, KeyRound, LockKeyhole, OctagonX, type LucideIcon } from 'lucide-react';
import type { AccountState } from '#contract/app/account.ts';
import { accountStyles } from '../text/accountLabels.ts';
import pieces from '../theme/pieces.module.css';

const icons: Record<AccountState, LucideIcon> = {
  ok: Check,
  unknown: CircleHelp,
  offline: CloudOff,
  refused: OctagonX,
  slowed: Hourglass,
  'no-key': KeyRound,
  locked: LockKeyhole,
};

export function AccountChip({ state, reason }: { state: AccountState; reason: string | null }) {
  const { word, tone } = accountStyles[state];
  const Icon = icons[state];
  return (
    <span className={pieces.chip} data-tone={tone} data-account-state={state} title={reason ?? undefined}>
      <Icon size={12} strokeWidth={2.4} aria-hidden className={pieces.chipIcon} />
      {word.replace(/^./, (first) => first.toUpperCase())}
    </span>
  );
}
