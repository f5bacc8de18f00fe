/** The rules by which the machine pauses itself; each is saved at once and says whether it holds now. */
import { SegmentedControl, Skeleton, Switch, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Machine, MachineSettings, PauseSource, PauseState } from '#contract/local/machine.ts';
import { Card } from '../../../ui/primitives/Card.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { AmountRule } from './AmountRule.tsx';
import page from '../machine.module.css';
import styles from './rules.module.css';
import { useMachineSettings } from '../useMachineSettings.ts';

const starts: { value: MachineSettings['onStart']; label: string }[] = [
  { value: 'run', label: 'Run' },
  { value: 'paused', label: 'Paused' },
  { value: 'as-it-was', label: 'As it was' },
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
  const noGpu = machine?.gpus.length === 0 ? 'No GPU here' : null;
  return (
    <Card aria-label="Rules">
      <div className={page.cardHead}>
        <h2>Rules</h2>
        <span className={page.quiet}>saved as you change them</span>
      </div>
      {problem !== null && (
        <Notice tone="wait" title="The rules could not be read.">
          {problem}
        </Notice>
      )}
      {settings === undefined && problem === null && (
        <div className={styles.rules} aria-hidden>
          {[0, 1, 2, 3, 4, 5].map((row) => (
            <Skeleton key={row} h={14} w="70%" radius={4} my={7} />
          ))}
        </div>
      )}
      {settings && (
        <div className={styles.rules}>
          <div className={styles.rule}>
            <Switch
              size="xs"
              label="Pause on battery"
              checked={settings.rules.battery}
              error={errorOf('battery')}
              onChange={(event) => change('battery', { rules: { battery: event.currentTarget.checked } })}
            />
            <Holds source="battery" on={settings.rules.battery} pause={pause} otherwise={batteryWords(machine)} />
          </div>
          <div className={styles.rule}>
            <TagsInput
              label="Pause while one of these programs runs"
              placeholder={settings.rules.programs.length === 0 ? 'Such as game.exe, then Enter' : ''}
              value={settings.rules.programs}
              error={errorOf('programs')}
              splitChars={[',']}
              onChange={(programs) => change('programs', { rules: { programs } })}
            />
            <Holds source="programs" on={settings.rules.programs.length > 0} pause={pause} />
          </div>
          <AmountRule
            label="Pause when others use more of a GPU than"
            unit="%"
            usual={30}
            value={settings.rules.othersGpuPercent}
            error={errorOf('othersGpuPercent')}
            onChange={(othersGpuPercent) => change('othersGpuPercent', { rules: { othersGpuPercent } })}
          >
            <Holds source="gpu-load" on={settings.rules.othersGpuPercent !== null} pause={pause} otherwise={noGpu} />
          </AmountRule>
          <AmountRule
            label="Pause when others have more GPU memory than"
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
            <span className={styles.ruleLabel} id="on-start">
              After a start of Hangar
            </span>
            <SegmentedControl
              aria-labelledby="on-start"
              data={starts}
              value={settings.onStart}
              onChange={(value) =>
                change('onStart', { onStart: starts.find((known) => known.value === value)?.value ?? 'as-it-was' })
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
  if (machine.onBattery === null) return 'No battery found';
  return machine.onBattery ? 'On battery now' : 'Plugged in now';
};

interface HoldsProps {
  source: PauseSource;
  on: boolean;
  pause: PauseState | null;
  /** Said where the rule pauses nothing. */
  otherwise?: string | null;
}

/** What a rule does now. */
function Holds({ source, on, pause, otherwise = null }: HoldsProps) {
  const holds = on && pause?.source === source && pause.state !== 'running';
  const overruled = on && pause?.overruled.includes(source);
  if (holds)
    return (
      <span className={styles.state} data-holds>
        Holds now: paused by it
      </span>
    );
  if (overruled)
    return (
      <span className={styles.state} data-holds>
        Holds now, overruled until it has ended
      </span>
    );
  // While somebody else's pause holds, the engine does not tell of the rules behind it.
  const words = otherwise ?? (on && pause?.state === 'running' ? 'Does not hold now' : null);
  return words === null ? null : <span className={styles.state}>{words}</span>;
}

interface QuietHoursProps {
  value: MachineSettings['rules']['quietHours'];
  error: string | null;
  pause: PauseState | null;
  onChange: (value: MachineSettings['rules']['quietHours']) => void;
}

function QuietHours({ value, error, pause, onChange }: QuietHoursProps) {
  /** What was typed and is not saved; refused times stay, so that they can be corrected. */
  const [draft, setDraft] = useState<{ from: string; to: string } | null>(null);
  const asText = value === null ? null : `${value.from} ${value.to}`;
  if (draft !== null && `${draft.from} ${draft.to}` === asText) setDraft(null);
  const shown = draft ?? value ?? usualNight;
  const commit = () => {
    if (draft !== null) onChange(draft);
  };
  const time = (end: 'from' | 'to', label: string) => (
    <TextInput
      type="time"
      className={styles.time ?? ''}
      aria-label={label}
      value={shown[end]}
      disabled={value === null}
      onChange={(event) => setDraft({ ...shown, [end]: event.currentTarget.value })}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
  return (
    <div className={styles.rule}>
      <div className={styles.ruleLine}>
        <Switch
          size="xs"
          label="Quiet hours"
          checked={value !== null}
          onChange={(event) => {
            setDraft(null);
            onChange(event.currentTarget.checked ? (value ?? usualNight) : null);
          }}
        />
        {time('from', 'Quiet from')}
        <span className={page.quiet}>to</span>
        {time('to', 'Quiet to')}
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
