/**
 * The settings in force: the defaults with what a person has changed, kept in the store and read afresh at each use.
 */
import {
  defaultSettings,
  settingsChangeSchema,
  spanNames,
  type Settings as SettingsValues,
  type SettingsChange,
} from '#contract/local/settings.ts';
import { defaultGpuChoice } from '#contract/local/machine.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Cancel, Logger } from './core/ports.ts';
import type { SettingsStore } from './settingsStore.ts';

export interface Settings {
  /** What holds now. Ask at each use: a change replaces it. */
  readonly current: SettingsValues;
  /**
   * Merges the change in at every depth, stores it, and answers what holds from now on. BAD_REQUEST where a default
   * would lie outside its range.
   */
  change(change: SettingsChange): SettingsValues;
  /** Called after each change, with what holds now. */
  onChange(listener: (current: SettingsValues) => void): Cancel;
}

type Plain = { readonly [key: string]: unknown };

/** A list is one value: a change replaces it. */
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `change` over `before`, at every depth; fields that are undefined change nothing. Neither is touched. */
function merged<Values extends Plain>(before: Values, change: Plain): Values {
  const result: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) continue;
    const old = result[key];
    result[key] = isPlain(value) ? merged(isPlain(old) ? old : {}, value) : value;
  }
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a change has the shape of the values
  return result as Values;
}

function checkOrder({ limits }: SettingsValues): void {
  for (const name of spanNames) {
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
  const gpus = Object.entries(values.machine.gpus).map(
    ([uuid, choice]) => [uuid, { ...defaultGpuChoice, ...choice }] as const,
  );
  return { ...values, machine: { ...values.machine, gpus: Object.fromEntries(gpus) } };
}

/**
 * A copy of the value without the field at this path. `undefined` where the value itself is wrong, or lacks the field.
 */
function without(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined || !isPlain(value) || !(key in value)) return undefined;
  const { [String(key)]: field, ...others } = value;
  const left = without(field, rest);
  return left === undefined ? others : { ...others, [key]: left };
}

/**
 * The stored changes, without the fields that this version does not accept: these have their defaults, and the log
 * names them.
 */
function storedChanges(stored: unknown, logger: Logger): SettingsChange {
  let changes = stored ?? {};
  for (;;) {
    const parsed = settingsChangeSchema.safeParse(changes);
    if (parsed.success) return parsed.data;
    logger.warn({ err: parsed.error }, 'stored settings cannot be understood; the defaults hold for these');
    // One at a time: the next one may be about a field that goes with this one.
    const [issue] = parsed.error.issues;
    if (issue === undefined) return {};
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const path of paths) changes = without(changes, path) ?? {};
  }
}

/** Only what differs from the defaults is stored, so that a default which changes with a new version takes effect. */
export function createSettings(store: SettingsStore, logger: Logger): Settings {
  let changes = storedChanges(store.load(), logger);
  const effective = (made: SettingsChange): SettingsValues => withWholeGpus(merged(defaultSettings, made));
  let current = effective(changes);
  const listeners = new Set<(now: SettingsValues) => void>();
  return {
    get current() {
      return current;
    },
    change(change) {
      const next = merged(changes, change);
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
