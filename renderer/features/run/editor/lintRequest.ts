/** The problems of a request body, each at its place in the text. */
import { jobRequestSchema } from '#contract/api/job.ts';
import type { RunMode } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import { formatBytes, formatCount, formatSetting } from '../../../ui/text/format.ts';
import { memberAt, readText, type Node } from './requestText.ts';
import { t } from '../../../language/text.ts';

export interface Problem {
  from: number;
  to: number;
  /** Counts from 1. */
  line: number;
  message: string;
}

export const bodyLimit = (mode: RunMode): number => (mode === 'run' ? limits.runBodyBytes : limits.runsyncBodyBytes);

const ranges: Record<string, { min: number; max: number }> = {
  'policy.executionTimeout': limits.executionTimeoutMs,
  'policy.ttl': limits.ttlMs,
};

/** Problems in the order of the text; none means that the service's own checks of shape will pass. */
export function lintRequest(text: string): Problem[] {
  const place = (from: number, to: number, message: string): Problem => ({
    from,
    to,
    line: lineAt(text, from),
    message,
  });
  if (text.trim() === '') return [place(0, 0, t`The body is empty. It needs an "input" object: {"input": {}}.`)];

  const read = readText(text);
  if (!read.ok) return [place(read.at, Math.min(read.at + 1, text.length), read.message)];
  if (read.root.kind !== 'object') {
    return [place(read.root.from, read.root.to, t`The body must be an object such as {"input": {}}.`)];
  }
  if (!memberAt(read.root, ['input'])) {
    return [place(read.root.from, read.root.from + 1, t`The "input" object is missing: {"input": {}}.`)];
  }
  const checked = jobRequestSchema.safeParse(JSON.parse(text));
  if (checked.success) return [];
  return checked.error.issues
    .map((issue) => {
      const path = issue.path.map(String);
      const value = memberAt(read.root, path)?.value ?? read.root;
      return place(value.from, value.to, explain(path, text, value, issue.message));
    })
    .toSorted((one, other) => one.from - other.from);
}

function explain(path: string[], text: string, value: Node, fallback: string): string {
  const name = path.join('.');
  const range = ranges[name];
  if (range) {
    const { min, max } = range;
    const words = t`${formatSetting(min)} to ${formatSetting(max)}`;
    const written = text.slice(value.from, value.to).slice(0, 40);
    return t`${name} must be a whole number of milliseconds from ${formatCount(min)} to ${formatCount(max)} (${words}), not ${written}.`;
  }
  if (name === 'input') return t`"input" must be an object, not ${kindWord(value)}.`;
  if (name === 'policy') return t`"policy" must be an object, not ${kindWord(value)}.`;
  if (name === 'policy.lowPriority') return t`${name} must be true or false, not ${kindWord(value)}.`;
  return `${name}: ${fallback}`;
}

const kindWord = ({ kind }: Node): string =>
  ({ object: t`an object`, array: t`a list`, string: t`a string`, number: t`a number`, word: t`true, false or null` })[
    kind
  ];

/** The line of a position; counts from 1. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
  return line;
}

export interface BodySize {
  bytes: number;
  limit: number;
  tooLarge: boolean;
  /** "1.2 of 10 MB", the unit written once where both share it. */
  words: string;
}

export function bodySize(text: string, mode: RunMode): BodySize {
  const bytes = new Blob([text]).size;
  const limit = bodyLimit(mode);
  const [used, whole] = [formatBytes(bytes), formatBytes(limit)];
  return {
    bytes,
    limit,
    tooLarge: bytes > limit,
    words: used.endsWith('MB') ? t`${used.replace(' MB', '')} of ${whole}` : t`${used} of ${whole}`,
  };
}
