/** The rules by which a Pod stops by itself, and how near it is to a stop, in its overview. */
import type { ReactNode } from 'react';
import { minutesText } from '#contract/api/autoStopRule.ts';
import { FactsBlock, fact } from '../../../ui/primitives/DescriptionList.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { formatDuration } from '../../../ui/text/format.ts';
import { formatMoney } from '../../../ui/text/money.ts';
import type { ShownPod } from '../../../ui/text/podWords.ts';
import { t } from '../../../language/text.ts';

const SHOWN_MS = 10_000;
const MINUTE_MS = 60_000;

export function AutoStopFacts({ row: { pod, autoStop } }: { row: ShownPod }) {
  const now = useNow(SHOWN_MS);
  if (autoStop === undefined) return null;
  const { rules, idleSince, busyWith, spentUsd } = autoStop;
  if (rules.idleMinutes === null && rules.spendUsd === null) return null;
  const idleMs = idleSince === null ? null : Math.max(0, now - Date.parse(idleSince));
  const isNow =
    idleMs === null
      ? busyWith
      : idleMs < MINUTE_MS
        ? t`Idle for less than a minute.`
        : t`Idle for ${formatDuration(Math.floor(idleMs / MINUTE_MS) * MINUTE_MS)}.`;
  const facts: [string, ReactNode][] = [
    ...(rules.idleMinutes === null ? [] : [fact(t`When idle`, t`after ${minutesText(rules.idleMinutes)}`)]),
    ...(rules.idleMinutes === null || isNow === null ? [] : [fact(t`Now`, isNow)]),
    ...(rules.spendUsd === null
      ? []
      : [
          fact(
            t`Spend cap`,
            spentUsd === null
              ? formatMoney(rules.spendUsd)
              : t`${formatMoney(spentUsd)} of ${formatMoney(rules.spendUsd)} since its start`,
          ),
        ]),
    ...(pod.locked ? [fact(t`Locked`, t`It does not stop automatically until you unlock it.`)] : []),
  ];
  return <FactsBlock title={t`Automatic stop`} facts={facts} />;
}
