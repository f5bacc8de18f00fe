/** The rules that pause the machine automatically. Each is saved immediately and shows whether it is fulfilled now. */
import { Skeleton, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Machine, MachineSettings, PauseSource, PauseState } from '#contract/local/machine.ts';
import { Unknown } from '../../../ui/domain/LoadError.tsx';
import { Card, CardHead } from '../../../ui/primitives/Card.tsx';
import { useCommands } from '../../../state/commands.ts';
import { AmountRule } from './AmountRule.tsx';
import page from '../machine.module.css';
import styles from './rules.module.css';
import { useMachineSettings } from '../useMachineSettings.ts';
import { ReasonField } from '../../../ui/popover/ReasonField.tsx';
import { SavedSwitch } from '../../../ui/saved/SavedSwitch.tsx';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { t } from '../../../language/text.ts';

const starts: { value: MachineSettings['onStart']; label: string }[] = [
  { value: 'run', label: t`Run` },
  { value: 'paused', label: t`Paused` },
  { value: 'as-it-was', label: t`As it was` },
];

const usualNight = { from: '22:00', to: '07:00' };

interface RulesCardProps {
  accountId: string;
  machine: Machine | undefined;
  /** Null until it is known. */
  pause: PauseState | null;
}

export function RulesCard({ accountId, machine, pause }: RulesCardProps) {
  const { settings, problem, change, errorOf } = useMachineSettings(accountId);
  const { battery, quietHours } = settings?.rules ?? {};
  useCommands([
    battery !== undefined && {
      label: battery ? t`Pause on battery: turn off` : t`Pause on battery: turn on`,
      run: () => void change('battery', { rules: { battery: !battery } }),
    },
    quietHours !== undefined && {
      label: quietHours ? t`Quiet hours: turn off` : t`Quiet hours: turn on`,
      run: () => void change('quietHours', { rules: { quietHours: quietHours ? null : usualNight } }),
    },
    ...starts.map(
      ({ value, label }) =>
        settings &&
        settings.onStart !== value && {
          label: t`When Hangar starts: ${label}`,
          run: () => void change('onStart', { onStart: value }),
        },
    ),
  ]);
  const noGpu = machine?.gpus.length === 0 ? t`No GPU here` : null;
  const isLoading = settings === undefined && problem === null;
  return (
    <Card aria-label={t`Rules`} aria-busy={isLoading || undefined}>
      <CardHead title={t`Rules`}>
        <span className={page.quiet}>{t`saved automatically`}</span>
      </CardHead>
      {problem !== null && <Unknown title={t`The rules could not be read.`} problem={problem} />}
      {isLoading && (
        <div className={styles.rules} aria-hidden>
          {[0, 1, 2, 3, 4, 5].map((row) => (
            <Skeleton key={row} h={14} w="70%" radius={4} my={7} />
          ))}
        </div>
      )}
      {settings && (
        <div className={styles.rules}>
          <div className={styles.rule}>
            <SavedSwitch
              size="xs"
              label={t`Pause on battery`}
              checked={settings.rules.battery}
              error={errorOf('battery')}
              onChange={(isOn) => change('battery', { rules: { battery: isOn } })}
            />
            <Holds source="battery" on={settings.rules.battery} pause={pause} otherwise={batteryWords(machine)} />
          </div>
          <div className={styles.rule}>
            <TagsInput
              label={t`Pause while any of these programs is running`}
              placeholder={settings.rules.programs.length === 0 ? t`such as blender, then Enter` : ''}
              value={settings.rules.programs}
              error={errorOf('programs')}
              splitChars={[',']}
              onChange={(programs) => void change('programs', { rules: { programs } })}
            />
            <Holds source="programs" on={settings.rules.programs.length > 0} pause={pause} />
          </div>
          <AmountRule
            label={t`Pause if other programs use more of a GPU than`}
            unit="%"
            usual={30}
            value={settings.rules.othersGpuPercent}
            error={errorOf('othersGpuPercent')}
            onChange={(othersGpuPercent) => change('othersGpuPercent', { rules: { othersGpuPercent } })}
          >
            <Holds source="gpu-load" on={settings.rules.othersGpuPercent !== null} pause={pause} otherwise={noGpu} />
          </AmountRule>
          <AmountRule
            label={t`Pause if other programs use more GPU memory than`}
            unit="GB"
            usual={4}
            value={settings.rules.othersGpuMemoryGb}
            error={errorOf('othersGpuMemoryGb')}
            onChange={(othersGpuMemoryGb) => change('othersGpuMemoryGb', { rules: { othersGpuMemoryGb } })}
          >
            <Holds source="gpu-memory" on={settings.rules.othersGpuMemoryGb !== null} pause={pause} otherwise={noGpu} />
          </AmountRule>
          <QuietHours
            value={settings.rules.quietHours}
            error={errorOf('quietHours')}
            pause={pause}
            onChange={(quietHours) => change('quietHours', { rules: { quietHours } })}
          />
          <div className={styles.rule}>
            <span className={styles.ruleLabel} id="on-start">{t`When Hangar starts`}</span>
            <Segments
              aria-labelledby="on-start"
              data={starts}
              value={settings.onStart}
              onChange={(value) =>
                void change('onStart', { onStart: starts.find((known) => known.value === value)?.value ?? 'as-it-was' })
              }
            />
            {errorOf('onStart') !== null && (
              <p className={styles.wrong} role="alert">
                {errorOf('onStart')}
              </p>
            )}
          </div>
        </div>
      )}
    </Card>
  );
}

const batteryWords = (machine: Machine | undefined): string | null => {
  if (!machine) return null;
  if (machine.onBattery === null) return t`No battery found`;
  return machine.onBattery ? t`On battery now` : t`Plugged in now`;
};

interface HoldsProps {
  source: PauseSource;
  on: boolean;
  pause: PauseState | null;
  /** Shown if the rule pauses nothing. */
  otherwise?: string | null;
}

/** The current state of a rule. */
function Holds({ source, on, pause, otherwise = null }: HoldsProps) {
  const holds = on && pause?.source === source && pause.state !== 'running';
  const overruled = on && pause?.overruled.includes(source);
  if (holds) return <span className={styles.state} data-holds>{t`Active: this rule paused the machine`}</span>;
  if (overruled) return <span className={styles.state} data-holds>{t`Active, but overridden until it ends`}</span>;
  // During a pause with another cause, the engine does not report the rules.
  const words = otherwise ?? (on && pause?.state === 'running' ? t`Not active` : null);
  return words === null ? null : <span className={styles.state}>{words}</span>;
}

interface QuietHoursProps {
  value: MachineSettings['rules']['quietHours'];
  error: string | null;
  pause: PauseState | null;
  /** Saves it; resolves once that is over. */
  onChange: (value: MachineSettings['rules']['quietHours']) => Promise<void>;
}

function QuietHours({ value, error, pause, onChange }: QuietHoursProps) {
  /** Typed times that are not saved. Refused ones stay, so that a person can correct them. */
  const [draft, setDraft] = useState<{ from: string; to: string } | null>(null);
  const asText = value === null ? null : `${value.from} ${value.to}`;
  if (draft !== null && `${draft.from} ${draft.to}` === asText) setDraft(null);
  const shown = draft ?? value ?? usualNight;
  const commit = () => {
    if (draft !== null) void onChange(draft);
  };
  const time = (end: 'from' | 'to', label: string) => (
    <ReasonField whyNot={value === null ? t`Turn on the rule first.` : null} className={styles.time}>
      <TextInput
        type="time"
        aria-label={label}
        value={shown[end]}
        onChange={(event) => setDraft({ ...shown, [end]: event.currentTarget.value })}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
    </ReasonField>
  );
  return (
    <div className={styles.rule}>
      <div className={`${styles.ruleLine} ${styles.wraps}`}>
        <SavedSwitch
          size="xs"
          label={t`Quiet hours`}
          checked={value !== null}
          onChange={(isOn) => {
            setDraft(null);
            return onChange(isOn ? (value ?? usualNight) : null);
          }}
        />
        <span className={styles.times}>
          {time('from', t`Quiet hours from`)}
          <span className={page.quiet}>{t`to`}</span>
          {time('to', t`Quiet hours to`)}
        </span>
      </div>
      {error !== null && (
        <p className={styles.wrong} role="alert">
          {error}
        </p>
      )}
      <Holds source="quiet-hours" on={value !== null} pause={pause} />
    </div>
  );
}
