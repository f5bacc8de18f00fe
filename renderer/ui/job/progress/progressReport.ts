/** Reads what a handler reports while its job runs: its text, and how much of the work is done where it tells that. */
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import { lineJson } from '../jsonText.ts';

export interface ProgressReport {
  /** What is done, from 0 to 1; null where the report does not tell it. */
  share: number | null;
  /** One line; empty for a report that is a number alone. */
  text: string;
}

/** Longest text that is shown, in characters. */
const TEXT_LENGTH = 300;
/** Members that hold the sentence of a report. */
const SENTENCES = ['message', 'text', 'status', 'stage', 'detail'];
/** Members that count up to 100. */
const PERCENTS = ['percent', 'percentage', 'pct'];
/** Members that count steps, and how many there are. */
const STEPS = [
  ['step', 'steps'],
  ['step', 'total_steps'],
  ['step', 'total'],
  ['current', 'total'],
  ['done', 'total'],
  ['completed', 'total'],
] as const;

const within = (share: number): number | null => (share >= 0 && share <= 1 ? share : null);

const shareOfSteps = (step: unknown, steps: unknown): number | null =>
  typeof step === 'number' && typeof steps === 'number' && steps > 0 ? within(step / steps) : null;

/** Programs report both 0 to 1 and 0 to 100 as a bare number. A 1 may mean all, or one percent, so it tells nothing. */
function shareOfNumber(value: unknown): number | null {
  if (typeof value !== 'number' || value === 1) return null;
  return within(value < 1 ? value : value / 100);
}

/** "40%", "12.5 % done", "step 3/20". */
function shareOfText(text: string): number | null {
  const percent = /(?<![\d.])(\d+(?:\.\d+)?)\s?%/.exec(text);
  if (percent) return within(Number(percent[1]) / 100);
  const steps = /(?<![\d./])(\d+)\s?\/\s?(\d+)(?![\d./])/.exec(text);
  return steps ? shareOfSteps(Number(steps[1]), Number(steps[2])) : null;
}

const cut = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > TEXT_LENGTH ? `${line.slice(0, TEXT_LENGTH)}…` : line;
};

function shareOfMembers(members: Readonly<Record<string, unknown>>): number | null {
  for (const name of PERCENTS) {
    const percent = members[name];
    if (typeof percent === 'number') return within(percent / 100);
  }
  for (const [step, steps] of STEPS) {
    const share = shareOfSteps(members[step], members[steps]);
    if (share !== null) return share;
  }
  return shareOfNumber(members['progress']);
}

/** The sentence first, then each further member with its name. */
function textOfMembers(members: Readonly<Record<string, unknown>>): string {
  const sentence = SENTENCES.find((name) => typeof members[name] === 'string');
  const others = Object.entries(members)
    .filter(([name]) => name !== sentence)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : lineJson(JSON.stringify(value))}`);
  return [...(sentence === undefined ? [] : [String(members[sentence])]), ...others].map(cut).join(' · ');
}

/** `json`: the raw JSON of the report. Null if there is nothing to say of it. */
export function readProgressReport(json: string): ProgressReport | null {
  const value = parseJsonOrNull(json);
  if (value === null || value === '') return null;
  if (typeof value === 'string') return { share: shareOfText(value), text: cut(value) };
  if (typeof value === 'number') {
    const share = shareOfNumber(value);
    return { share, text: share === null ? String(value) : '' };
  }
  if (typeof value !== 'object' || Array.isArray(value)) return { share: null, text: cut(lineJson(json)) };
  const members: Readonly<Record<string, unknown>> = { ...value };
  const text = cut(textOfMembers(members));
  return { share: shareOfMembers(members) ?? shareOfText(text), text };
}
