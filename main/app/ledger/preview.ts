/** What a job is about, in one line, by its request body: the prompt, another text, or a short summary of the input. */
import { isTellingText, tellingFields } from '#contract/app/jobs/tellingText.ts';
import { parseJsonOrNull, rawField } from '#contract/core/jsonScanner.ts';

const MOST_LENGTH = 160;
/** A longer input is not read for its preview. */
const READ_LENGTH = 256 * 1024;
/** Fields that a request to OpenAI's API has inside the input. */
const NESTED = ['openai_input', 'input', 'workflow', 'data'];

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const oneLine = (text: string): string => {
  const line = text
    .slice(0, 4 * MOST_LENGTH)
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return line.length > MOST_LENGTH ? `${line.slice(0, MOST_LENGTH - 1)}…` : line;
};

/** Whether a person can read it: a picture as text is no preview. */
const isReadable = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  !value.startsWith('data:') &&
  !/^[A-Za-z0-9+/=]{120,}/u.test(value);

/** The text of the last message of a chat; null if there is none. */
function lastMessage(messages: unknown): string | null {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : null;
  if (!isFields(last)) return null;
  const { content } = last;
  if (isReadable(content)) return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  const part = parts.find((one): one is Fields => isFields(one) && isReadable(one['text']));
  return part ? String(part['text']) : null;
}

function tellingText(input: Fields): string | null {
  const message = lastMessage(input['messages']);
  if (message !== null) return message;
  for (const name of tellingFields) if (isReadable(input[name])) return input[name];
  for (const name of NESTED) {
    const inner = input[name];
    if (isReadable(inner)) return inner;
    const text = isFields(inner) ? tellingText(inner) : null;
    if (text !== null) return text;
  }
  for (const [name, value] of Object.entries(input)) if (isReadable(value) && isTellingText(name, value)) return value;
  return null;
}

function briefly(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  if (typeof value === 'string') return isReadable(value) ? value : 'data';
  return isFields(value) ? '{…}' : String(value);
}

const summary = (input: Fields): string =>
  Object.entries(input)
    .slice(0, 6)
    .map(([name, value]) => `${name} ${briefly(value)}`)
    .join(' · ');

/**
 * `body`: the request body without secrets; empty where it is not known. Null for an input that is empty or very long.
 */
export function previewOf(body: string): string | null {
  const raw = body !== '' && body.length <= READ_LENGTH ? rawField(body, 'input') : undefined;
  const input: unknown = raw === undefined ? null : parseJsonOrNull(raw);
  if (isReadable(input)) return oneLine(input);
  if (!isFields(input)) return null;
  const text = oneLine(tellingText(input) ?? summary(input));
  return text === '' ? null : text;
}
