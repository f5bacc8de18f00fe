/** The limits of the job API as fields of a form: where each stands in the settings, and the unit a person counts in. */
import type { EngineSettings, EngineSettingsChange } from '#contract/bridge/machine.ts';

type Limits = EngineSettings['limits'];
type LimitsChange = NonNullable<EngineSettingsChange['limits']>;

export interface LimitField {
  id: string;
  label: string;
  unit: string;
  /** How many of the wire's units one of the person's has. */
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
    label: { default: 'Without a wish', min: 'Least', max: 'Most' }[end],
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
    title: 'Sizes',
    fields: [
      size('runBodyBytes', 'Body of /run', 'MB', MIB),
      size('runsyncBodyBytes', 'Body of /runsync', 'MB', MIB),
      size('chunkBytes', 'Chunk of a stream', 'KB', 1000),
    ],
  },
  { title: 'How long /runsync waits', fields: span('waitMs', { default: seconds, min: seconds, max: seconds }) },
  {
    title: 'How long a job may run',
    fields: span('executionTimeoutMs', { default: minutes, min: seconds, max: hours }),
  },
  { title: 'How long a job may live', fields: span('ttlMs', { default: hours, min: seconds, max: hours }) },
  {
    title: 'How long results can be read',
    fields: [
      retention('run', 'After /run'),
      retention('runsync', 'After /runsync'),
      retention('runsyncWithWait', 'After /runsync with wait'),
    ],
  },
  {
    title: 'Webhooks',
    fields: [
      {
        id: 'webhook.retries',
        label: 'Tries after the first',
        unit: '',
        factor: 1,
        read: ({ webhook }) => webhook.retries,
        write: (retries) => ({ webhook: { retries } }),
      },
      {
        id: 'webhook.gapMs',
        label: 'Time between them',
        ...seconds,
        read: ({ webhook }) => webhook.gapMs,
        write: (gapMs) => ({ webhook: { gapMs } }),
      },
    ],
  },
];
