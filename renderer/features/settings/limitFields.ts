/** The limits of the job API as form fields: their paths in the settings, and the units for a person. */
import type { EngineSettings, EngineSettingsChange } from '#contract/bridge/machine.ts';
import { t } from '../../language/text.ts';

type Limits = EngineSettings['limits'];
type LimitsChange = NonNullable<EngineSettingsChange['limits']>;

export interface LimitField {
  id: string;
  label: string;
  unit: string;
  /** How many units of the API one unit for a person has. */
  factor: number;
  read: (limits: Limits) => number;
  write: (value: number) => LimitsChange;
}

export interface LimitGroup {
  title: string;
  fields: readonly LimitField[];
}

const MIB = 1024 * 1024;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const span = (
  key: 'waitMs' | 'executionTimeoutMs' | 'ttlMs',
  units: Record<'min' | 'max' | 'default', { unit: string; factor: number }>,
): LimitField[] =>
  (['default', 'min', 'max'] as const).map((end) => ({
    id: `${key}.${end}`,
    label: { default: t`Default`, min: t`Minimum`, max: t`Maximum` }[end],
    ...units[end],
    read: (limits) => limits[key][end],
    write: (value) => ({ [key]: { [end]: value } }),
  }));

const seconds = { unit: 's', factor: SECOND_MS };
const minutes = { unit: 'min', factor: MINUTE_MS };
const hours = { unit: 'h', factor: HOUR_MS };

const size = (
  key: 'runBodyBytes' | 'runsyncBodyBytes' | 'chunkBytes',
  label: string,
  unit: string,
  factor: number,
): LimitField => ({
  id: key,
  label,
  unit,
  factor,
  read: (limits) => limits[key],
  write: (value) => ({ [key]: value }),
});

const retention = (key: keyof Limits['retentionMs'], label: string): LimitField => ({
  id: `retentionMs.${key}`,
  label,
  ...minutes,
  read: (limits) => limits.retentionMs[key],
  write: (value) => ({ retentionMs: { [key]: value } }),
});

export const limitGroups: readonly LimitGroup[] = [
  {
    title: t`Sizes`,
    fields: [
      size('runBodyBytes', t`Body of /run`, 'MB', MIB),
      size('runsyncBodyBytes', t`Body of /runsync`, 'MB', MIB),
      size('chunkBytes', t`Stream chunk`, 'KB', 1000),
    ],
  },
  { title: t`/runsync waits for`, fields: span('waitMs', { default: seconds, min: seconds, max: seconds }) },
  {
    title: t`Maximum run time of a job`,
    fields: span('executionTimeoutMs', { default: minutes, min: seconds, max: hours }),
  },
  { title: t`Maximum lifetime of a job`, fields: span('ttlMs', { default: hours, min: seconds, max: hours }) },
  {
    title: t`Results are kept for`,
    fields: [
      retention('run', t`After /run`),
      retention('runsync', t`After /runsync`),
      retention('runsyncWithWait', t`After /runsync with wait`),
    ],
  },
  {
    title: t`Webhooks`,
    fields: [
      {
        id: 'webhook.retries',
        label: t`Retries`,
        unit: '',
        factor: 1,
        read: ({ webhook }) => webhook.retries,
        write: (retries) => ({ webhook: { retries } }),
      },
      {
        id: 'webhook.gapMs',
        label: t`Time between retries`,
        ...seconds,
        read: ({ webhook }) => webhook.gapMs,
        write: (gapMs) => ({ webhook: { gapMs } }),
      },
    ],
  },
];
