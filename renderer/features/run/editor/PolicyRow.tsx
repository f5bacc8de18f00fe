/** The execution policy in words; each value opens a small form that edits the JSON. */
import { useDeferredValue, useMemo, useState } from 'react';
import { Button, Checkbox, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { limits } from '#contract/core/limits.ts';
import { useCommands } from '../../../state/commands.ts';
import { Popover } from '../../../ui/popover/Popover.tsx';
import { formatSetting } from '../../../ui/text/format.ts';
import { readPolicy, writePolicy, type PolicyName } from './policyText.ts';
import styles from '../run.module.css';
import { ReasonButton, ReasonText } from '../../../ui/popover/ReasonButton.tsx';
import { ReasonField } from '../../../ui/popover/ReasonField.tsx';
import { t } from '../../../language/text.ts';

const durations = {
  executionTimeout: {
    label: t`Timeout`,
    long: t`How long the job may run`,
    range: limits.executionTimeoutMs,
  },
  ttl: {
    label: t`Expires after`,
    long: t`How long the job may exist, including waiting`,
    range: limits.ttlMs,
  },
} as const;

const NO_POLICY = t`The text is not a JSON object, so a policy cannot be added.`;

type DurationName = keyof typeof durations;

interface PolicyRowProps {
  /** The body as it is now. */
  text: string;
  onChange: (text: string) => void;
}

export function PolicyRow({ text, onChange }: PolicyRowProps) {
  // The row may lag behind the typing of a large body. It shows its own edit at once, or the browser would take a click back.
  const deferred = useDeferredValue(text);
  const [edited, setEdited] = useState<string | null>(null);
  const shown = text === edited ? text : deferred;
  const policy = useMemo(() => readPolicy(shown), [shown]);
  const set = (name: PolicyName, value: string | null) => {
    const next = writePolicy(text, name, value);
    setEdited(next);
    onChange(next);
  };
  const disabled = policy === null;
  const isLow = policy?.lowPriority === 'true';
  useCommands([
    !disabled && {
      label: isLow ? t`Normal priority` : t`Low priority`,
      run: () => set('lowPriority', isLow ? null : 'true'),
    },
  ]);
  return (
    <div className={styles.policy}>
      <DurationField name="executionTimeout" written={policy?.executionTimeout} disabled={disabled} onSet={set} />
      <DurationField name="ttl" written={policy?.ttl} disabled={disabled} onSet={set} />
      <ReasonField whyNot={disabled ? NO_POLICY : null} hint={t`A low-priority job does not start more workers`}>
        <Checkbox
          label={t`Low priority`}
          checked={isLow}
          onChange={(event) => set('lowPriority', event.currentTarget.checked ? 'true' : null)}
        />
      </ReasonField>
    </div>
  );
}

interface DurationFieldProps {
  name: DurationName;
  /** As it stands in the JSON; undefined where it does not. */
  written: string | undefined;
  disabled: boolean;
  onSet: (name: PolicyName, value: string | null) => void;
}

function DurationField({ name, written, disabled, onSet }: DurationFieldProps) {
  const [open, setOpen] = useState(false);
  const { label, long, range } = durations[name];
  useCommands([!disabled && { label: t`${label}…`, description: long, run: () => setOpen(true) }]);
  const ms = written === undefined ? range.default : Number(written);
  const wrong = !Number.isInteger(ms) || ms < range.min || ms > range.max;
  return (
    <Popover opened={open} onChange={setOpen} position="top-start" withRoles>
      <Popover.Target>
        <ReasonText
          className={styles.policyValue}
          whyNot={disabled ? NO_POLICY : null}
          data-wrong={wrong || undefined}
          onClick={() => setOpen(!open)}
        >
          {label} <b>{Number.isFinite(ms) ? formatSetting(ms) : t`not a number`}</b>
        </ReasonText>
      </Popover.Target>
      <Popover.Dropdown>
        <DurationForm
          name={name}
          ms={ms}
          onClose={() => setOpen(false)}
          onSet={(value) => {
            onSet(name, value === null ? null : String(value));
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

const units = [
  { value: '1000', label: t`seconds` },
  { value: '60000', label: t`minutes` },
  { value: '3600000', label: t`hours` },
  { value: '86400000', label: t`days` },
];

const largestUnit = (ms: number): number =>
  Number(units.findLast((unit) => ms > 0 && ms % Number(unit.value) === 0)?.value ?? 1000);

interface DurationFormProps {
  name: DurationName;
  ms: number;
  onSet: (ms: number | null) => void;
  onClose: () => void;
}

function DurationForm({ name, ms, onSet, onClose }: DurationFormProps) {
  const { long, range } = durations[name];
  const [unit, setUnit] = useState(() => largestUnit(ms));
  const [amount, setAmount] = useState<number | string>(() => (Number.isFinite(ms) ? ms / unit : ''));
  const wanted = Math.round(Number(amount) * unit);
  const [min, max] = [formatSetting(range.min), formatSetting(range.max)];
  const wrong = amount === '' || !(wanted >= range.min && wanted <= range.max);
  const save = () => {
    if (wrong) return;
    onSet(wanted);
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap={10} w={280}>
        <Text fw={550}>{long}</Text>
        <Group gap={8} align="flex-start" wrap="nowrap">
          <NumberInput
            aria-label={long}
            data-autofocus
            value={amount}
            onChange={setAmount}
            min={0}
            error={wrong ? t`From ${min} to ${max}` : undefined}
            flex={1}
          />
          <Select
            aria-label={t`Unit`}
            data={units}
            value={String(unit)}
            onChange={(value) => value !== null && setUnit(Number(value))}
            allowDeselect={false}
            w={110}
            comboboxProps={{ withinPortal: false }}
          />
        </Group>
        {!wrong && (
          <Text fz="xs" c="dimmed">{t`From ${min} to ${max}. Default: ${formatSetting(range.default)}.`}</Text>
        )}
        <Group justify="space-between">
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              onSet(null);
              onClose();
            }}
          >{t`Use the default`}</Button>
          <ReasonButton size="xs" type="submit" whyNot={wrong ? t`From ${min} to ${max}` : null}>{t`Set`}</ReasonButton>
        </Group>
      </Stack>
    </form>
  );
}
