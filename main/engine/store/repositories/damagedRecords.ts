/**
 * Collects unreadable records: their text is no JSON, or a field has the wrong type. The engine starts without them.
 * Their rows stay unchanged, the log names each id, and a notice tells a person.
 */
import type * as z from 'zod';
import type { Logger } from '../../domain/core/ports.ts';

export interface DamagedRecords {
  /**
   * Logs an unreadable record, once, and adds it to the notice.
   *
   * @param kind The kind of record, for a person: "endpoint".
   * @param problem The reason, without the value: it may be secret.
   */
  note(kind: string, id: string, problem: string): void;
  /** One sentence for a person; empty without unreadable records. */
  notices(): string[];
}

/** The number of records that a notice names. It only counts the others. */
const NAMED = 5;

export function createDamagedRecords(logger: Logger): DamagedRecords {
  const noted = new Map<string, string>();
  return {
    note(kind, id, problem) {
      const name = `${kind} ${JSON.stringify(id)}`;
      if (noted.has(name)) return;
      noted.set(name, problem);
      logger.error({ kind, id, problem }, 'a record of the database cannot be read; its row stays, and is not used');
    },
    notices() {
      if (noted.size === 0) return [];
      const names = [...noted].slice(0, NAMED).map(([name, problem]) => `${name} (${problem})`);
      const others = noted.size > NAMED ? `, and ${noted.size - NAMED} more, which the log names` : '';
      return [
        `Records of the database cannot be read and are not used: ${names.join(', ')}${others}. Nothing was removed. ` +
          'Start the version of Hangar that wrote them, restore a backup of engine.db, or make them again.',
      ];
    },
  };
}

export type Parsed<T> = { readonly value: T } | { readonly problem: string };

/** Parses a JSON text by its schema. The problem names the field and never its value, which may be secret. */
export function parseText<T>(schema: z.ZodType<T>, text: unknown): Parsed<T> {
  let json: unknown;
  try {
    json = JSON.parse(String(text));
  } catch {
    // The message of this error contains a part of the text.
    return { problem: 'its text is no JSON' };
  }
  return parseValue(schema, json);
}

/** Parses a value by its schema, as `parseText` does. */
export function parseValue<T>(schema: z.ZodType<T>, value: unknown): Parsed<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  return { problem: issue ? `${issue.path.join('.') || 'the record'}: ${issue.message}` : 'it is not valid' };
}

/** The readable records of these rows. Reports the others to `damaged`. */
export function readRows<T, Row extends { id: string; record: string }>(
  rows: readonly Row[],
  kind: string,
  schema: z.ZodType<T>,
  damaged: DamagedRecords,
): { row: Row; record: T }[] {
  return rows.flatMap((row) => {
    const parsed = parseText(schema, row.record);
    if ('value' in parsed) return [{ row, record: parsed.value }];
    damaged.note(kind, row.id, parsed.problem);
    return [];
  });
}
