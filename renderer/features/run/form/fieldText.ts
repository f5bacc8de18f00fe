/** A field's value as a person types it, and as raw JSON. */
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import type { Node } from '../editor/requestText.ts';
import type { FieldKind, InputField } from './inputFields.ts';
import { formatCount } from '../../../ui/text/format.ts';
import { joinSentences } from '../../../language/sentences.ts';
import { t } from '../../../language/text.ts';

export type Written = { ok: true; raw: string } | { ok: false; message: string };

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The kind of control for a field: the one of the schema, or JSON where the written value is something else, so that
 * nothing of it is lost.
 */
export function controlOf({ kind, choices }: InputField, value: { raw: string; node: Node } | undefined): FieldKind {
  if (value === undefined) return kind;
  const { raw, node } = value;
  const fits: Record<FieldKind, boolean> = {
    text: node.kind === 'string',
    number: node.kind === 'number',
    integer: node.kind === 'number',
    boolean: raw === 'true' || raw === 'false',
    choice: choices.includes(raw),
    json: true,
  };
  return fits[kind] ? kind : 'json';
}

/** The raw JSON as it is typed: a text without its quotes, everything else as it is written. */
export function typedOf(control: FieldKind, raw: string): string {
  const value = control === 'text' ? parseJsonOrNull(raw) : raw;
  return typeof value === 'string' ? value : raw;
}

/** The typed text as raw JSON, or the reason why it is not a value of the field. A number keeps its digits. The handler checks its range. */
export function writtenOf(control: FieldKind, typed: string): Written {
  if (control === 'text') return { ok: true, raw: JSON.stringify(typed) };
  const text = typed.trim();
  if (control === 'number' || control === 'integer') {
    return NUMBER.test(text) ? { ok: true, raw: text } : { ok: false, message: t`This is not a number.` };
  }
  try {
    JSON.parse(text);
    return { ok: true, raw: text };
  } catch {
    // JSON.parse throws for one reason only, which the message says.
    return { ok: false, message: t`This is not valid JSON.` };
  }
}

/** Longer defaults are cut: the field shows them in full. */
const DEFAULT_CHARS = 80;

const shownNumber = (value: number): string => (Number.isSafeInteger(value) ? formatCount(value) : String(value));

/** What stands in the empty field: the value that holds then. Undefined if the schema names none. */
export function placeholderOf({ initial }: Pick<InputField, 'initial'>): string | undefined {
  const value = initial === null || initial === 'null' ? '' : typedOf('text', initial);
  const shown = value.length > DEFAULT_CHARS ? `${value.slice(0, DEFAULT_CHARS)}…` : value;
  return shown === '' ? undefined : t`Default: ${shown}`;
}

/** What the schema says of a field, for a person: its description and range. Undefined if it says nothing. */
export function descriptionOf({ description, min, max }: InputField): string | undefined {
  const range =
    min !== null && max !== null
      ? t`From ${shownNumber(min)} to ${shownNumber(max)}.`
      : min !== null
        ? t`At least ${shownNumber(min)}.`
        : max !== null
          ? t`At most ${shownNumber(max)}.`
          : null;
  if (description === null || description === '') return range ?? undefined;
  return range === null || /[.!?]$/.test(description) ? joinSentences(description, range) : `${description}. ${range}`;
}
