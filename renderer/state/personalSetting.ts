/**
 * Personal settings: choices of a person in this browser or window, stored over a reload. This is their only store. A
 * setting is declared once, with its key, its schema, and its default for a missing or invalid value.
 */
import { useSyncExternalStore } from 'react';
import * as z from 'zod';
import { t } from '../language/text.ts';

export interface PersonalSetting<Value> {
  readonly get: () => Value;
  /** The value for a component, which renders again after a change. */
  readonly use: () => Value;
  /** False: the value lasts only until the page closes, because the storage of the browser is full or disabled. */
  readonly set: (value: Value) => boolean;
}

/** One setting for each id: of an account, an endpoint, or a place on the page. */
export interface PersonalSettings<Value> {
  readonly get: (id: string) => Value;
  readonly use: (id: string) => Value;
  readonly set: (id: string, value: Value) => boolean;
}

/** Stores a value as JSON. */
export const asJson = <Schema extends z.ZodType>(schema: Schema) =>
  z.codec(z.string(), schema, {
    decode(text, context) {
      try {
        // oxlint-disable-next-line typescript/consistent-type-assertions -- the schema checks it next
        return JSON.parse(text) as z.input<Schema>;
      } catch {
        // Not JSON: the schema refuses it, and the setting has its default.
        context.issues.push({ code: 'custom', input: text, message: t`This is not valid JSON.` });
        return z.NEVER;
      }
    },
    encode: (value) => JSON.stringify(value),
  });

const PREFIX = 'hangar.';
const resets = new Set<() => void>();

/** Clears the cache, so that each setting is read from the browser again. For tests, which begin like a new page. */
export function rereadSettings(): void {
  for (const reset of resets) reset();
}

function readText(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    // The browser has disabled its storage: the setting has its default.
    return null;
  }
}

function writeText(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, text);
    return true;
  } catch {
    // The storage is full or disabled: the caller learns that the value lasts until the page closes.
    return false;
  }
}

function makeSettings<Value>(
  key: string,
  schema: z.ZodType<Value, string>,
  initial: Value | null,
): PersonalSettings<Value | null> {
  const values = new Map<string, { value: Value | null }>();
  const listeners = new Set<() => void>();
  const keyOf = (id: string): string => (id === '' ? key : `${key}.${id}`);
  const change = () => {
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  resets.add(() => {
    values.clear();
    change();
  });

  function load(id: string): Value | null {
    const text = readText(keyOf(id));
    const parsed = text === null ? null : schema.safeDecode(text);
    return parsed?.success ? parsed.data : initial;
  }

  function get(id: string): Value | null {
    const known = values.get(id) ?? { value: load(id) };
    values.set(id, known);
    return known.value;
  }

  return {
    get,
    use: (id) => useSyncExternalStore(subscribe, () => get(id)),
    set(id, value) {
      values.set(id, { value });
      change();
      return writeText(keyOf(id), value === null ? null : schema.encode(value));
    },
  };
}

/**
 * Settings that are stored under `key`: at the key itself for the id '', otherwise at `key.id`. `schema` converts the
 * stored text to the value and back: text is stored directly (`z.string()`, `z.enum([…])`), other types with `asJson`.
 * `initial` is the default for a missing or invalid value. Null means "nothing chosen" and is not stored.
 */
export function personalSettings<Value>(
  key: string,
  schema: z.ZodType<Value, string>,
  initial: NoInfer<Value>,
): PersonalSettings<Value>;
export function personalSettings<Value>(
  key: string,
  schema: z.ZodType<Value, string>,
  initial: null,
): PersonalSettings<Value | null>;
export function personalSettings<Value>(key: string, schema: z.ZodType<Value, string>, initial: Value | null) {
  return makeSettings(key, schema, initial);
}

/** A single setting; see `personalSettings`. */
export function personalSetting<Value>(
  key: string,
  schema: z.ZodType<Value, string>,
  initial: NoInfer<Value>,
): PersonalSetting<Value>;
export function personalSetting<Value>(
  key: string,
  schema: z.ZodType<Value, string>,
  initial: null,
): PersonalSetting<Value | null>;
export function personalSetting<Value>(
  key: string,
  schema: z.ZodType<Value, string>,
  initial: Value | null,
): PersonalSetting<Value | null> {
  const { get, use, set } = makeSettings(key, schema, initial);
  return { get: () => get(''), use: () => use(''), set: (value) => set('', value) };
}
