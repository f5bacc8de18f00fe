/** When a Pod stops by itself: the fields of the sheet that deploys it, and of its settings. */
import { NumberInput } from '@mantine/core';
import { autoStopLimits } from '#contract/api/autoStop.ts';
import styles from '../../../ui/form/form.module.css';
import { Section } from '../../../ui/form/Section.tsx';
import { formatDuration } from '../../../ui/text/format.ts';
import { formatPerHour } from '../../../ui/text/money.ts';
import panel from '../../../ui/theme/panel.module.css';
import type { PodValues } from '../settings/podForm.ts';
import { t } from '../../../language/text.ts';

interface AutoStopFieldsProps {
  values: Pick<PodValues, 'idleMinutes' | 'spendUsd'>;
  onChange: (change: Partial<Pick<PodValues, 'idleMinutes' | 'spendUsd'>>) => void;
  problems: ReadonlyMap<string, string>;
  /** US dollars per hour; null if it is not known, 0 if there is none. */
  price: number | null;
  /** Whether this app does it, and no engine of Hangar: then only while it runs. */
  byApp: boolean;
}

const HOUR_MS = 60 * 60_000;

export function AutoStopFields({ values, onChange, problems, price, byApp }: AutoStopFieldsProps) {
  const hasPrice = price === null || price > 0;
  const { spendUsd } = values;
  const hours = price !== null && typeof spendUsd === 'number' && price > 0 ? spendUsd / price : null;
  return (
    <Section title={t`Automatic stop`}>
      <div className={styles.pair}>
        <NumberInput
          label={t`When idle for, minutes`}
          placeholder={t`never`}
          value={values.idleMinutes}
          min={autoStopLimits.idleMinutes.min}
          allowDecimal={false}
          error={problems.get('idleMinutes')}
          onChange={(idleMinutes) => onChange({ idleMinutes })}
        />
        {hasPrice && (
          <NumberInput
            label={t`When it has cost, US dollars`}
            placeholder={t`never`}
            value={spendUsd}
            min={0}
            decimalScale={2}
            error={problems.get('spendUsd')}
            onChange={(cost) => onChange({ spendUsd: cost })}
          />
        )}
      </div>
      <p className={panel.hint}>{hintsOf({ hasPrice, hours, price, byApp }).join(' ')}</p>
    </Section>
  );
}

interface Hints {
  hasPrice: boolean;
  /** What the cap is at the price; null without both. */
  hours: number | null;
  price: number | null;
  byApp: boolean;
}

function hintsOf({ hasPrice, hours, price, byApp }: Hints): string[] {
  return [
    byApp
      ? t`Idle means: CPU and GPUs below 5 %, and no terminal of Hangar open in it. A load that the account does not report counts as busy.`
      : t`Idle means: CPU and GPUs below 5 %, less than 1 KB/s of network traffic, and no open terminal.`,
    ...(hours === null || price === null
      ? []
      : [
          t`The cost counts from each start: at ${formatPerHour(price)}, the Pod stops after ${formatDuration(hours * HOUR_MS)}.`,
        ]),
    ...(hasPrice ? [] : [t`A spend cap needs a price. None is set for this hardware. Set one on the GPU prices page.`]),
    ...(byApp ? [t`This works only while Hangar runs on this computer.`] : []),
  ];
}
