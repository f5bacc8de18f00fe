/** The settings in force: the defaults with what a person has changed, kept in the store and read afresh at each use. */
import {
  defaultSettings,
  settingsChangeSchema,
  type Settings as SettingsValues,
  type SettingsChange,
} from '#contract/local/settings.ts';
import { defaultGpuChoice, type MachineSettings } from '#contract/local/machine.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Cancel, Logger } from './core/ports.ts';
import type { SettingsStore } from './settingsStore.ts';

export interface Settings {
  /** What holds now. Ask at each use: a change replaces it. */
  readonly current: SettingsValues;
  /** Merges the change in at every depth, stores it, and answers what holds from now on. BAD_REQUEST where a default would lie outside its range. */
  change(change: SettingsChange): SettingsValues;
  /** Called after each change, with what holds now. */
  onChange(listener: (current: SettingsValues) => void): Cancel;
}

type Plain = { readonly [key: string]: unknown };

/** A list is one value: a change replaces it. */
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `change` over `before`, at every depth; fields that are undefined change nothing. Neither is touched. */
function merged(before: Plain, change: Plain): Plain {
  const result: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) continue;
    const old = result[key];
    result[key] = isPlain(value) ? merged(isPlain(old) ? old : {}, value) : value;
  }
  return result;
}

function checkOrder({ limits }: SettingsValues): void {
  for (const name of ['waitMs', 'executionTimeoutMs', 'ttlMs'] as const) {
    const { min, max, default: usual } = limits[name];
    if (min <= usual && usual <= max) continue;
    throw new AppError(
      'BAD_REQUEST',
      `limits.${name}.default must lie between limits.${name}.min and limits.${name}.max; got ${usual}, ${min} and ${max}. Nothing was changed.`,
    );
  }
}

function checkQuietHours({ machine: { rules } }: SettingsValues): void {
  const hours = rules.quietHours;
  if (hours === null || hours.from !== hours.to) return;
  throw new AppError(
    'BAD_REQUEST',
    `machine.rules.quietHours.from and machine.rules.quietHours.to must differ; got ${hours.from} for both. Nothing was changed.`,
  );
}

/** A GPU of which only one choice was made keeps the usual one for the other. */
function withWholeGpus(values: SettingsValues): SettingsValues {
  const gpus = Object.entries(values.machine.gpus).map(([uuid, choice]) => [uuid, { ...defaultGpuChoice, ...choice }]);
  return { ...values, machine: { ...values.machine, gpus: Object.fromEntries(gpus) as MachineSettings['gpus'] } };
}

/** Only what differs from the defaults is stored, so that a default which changes with a new version takes effect. */
export function createSettings(store: SettingsStore, logger: Logger): Settings {
  let changes: SettingsChange = {};
  const stored = settingsChangeSchema.safeParse(store.load() ?? {});
  if (stored.success) changes = stored.data;
  else logger.warn({ err: stored.error }, 'the stored settings cannot be understood; the defaults hold');
  const effective = (made: SettingsChange): SettingsValues =>
    withWholeGpus(merged(defaultSettings, made) as SettingsValues);
  let current = effective(changes);
  const listeners = new Set<(now: SettingsValues) => void>();
  return {
    get current() {
      return current;
    },
    change(change) {
      const next = merged(changes, change) as SettingsChange;
      const values = effective(next);
      checkOrder(values);
      checkQuietHours(values);
      store.save(next);
      changes = next;
      current = values;
      for (const listener of [...listeners]) listener(current);
      return current;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
