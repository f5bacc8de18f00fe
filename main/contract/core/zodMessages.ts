/** Explains the issues of a schema to a person: the field, the expected value, and the actual one. */
import type * as z from 'zod';

type Issue = z.core.$ZodIssue;

const SHOWN_CHARACTERS = 60;

/** Messages never repeat the values of these fields: they may be secret. */
const secretFields: ReadonlySet<PropertyKey> = new Set(['s3Config']);

/**
 * A single value as it was sent. For a list, an object or a possible secret only its kind: any part may hold a secret.
 */
function shown(value: unknown, secret: boolean): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (secret && value !== null) return article(typeof value === 'string' ? 'text' : typeof value);
  // undefined and functions have no JSON; neither comes out of a JSON body.
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) return typeof value;
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

const article = (noun: string): string => (/^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`);

const typeNames: Record<string, string> = {
  int: 'whole number',
  record: 'JSON object',
  object: 'JSON object',
  array: 'list',
  boolean: 'true or false',
};

function demand(issue: Issue): string {
  const range = issueRange(issue);
  if (range) return range;
  switch (issue.code) {
    case 'invalid_type': {
      const name = typeNames[issue.expected] ?? issue.expected;
      return issue.expected === 'boolean' ? `must be ${name}` : `must be ${article(name)}`;
    }
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'unrecognized_keys':
      return `must not have the field${issue.keys.length > 1 ? 's' : ''} ${issue.keys.join(', ')}`;
    default:
      return issue.message;
  }
}

const countedNouns: Record<string, string> = { string: ' characters', array: ' items', set: ' items' };

/** Messages name both ends of a range. */
function issueRange(issue: Issue): string | null {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return null;
  const bound = String(issue.code === 'too_small' ? issue.minimum : issue.maximum);
  const side = issue.code === 'too_small' ? 'at least' : 'at most';
  const noun = countedNouns[issue.origin] ?? '';
  return noun ? `must have ${side} ${bound}${noun}` : `must be a whole number of ${side} ${bound}`;
}

/**
 * Ranges of numbers, so that a message can name both ends: by the path of the field, by its name, or by the path of the
 * object that holds the fields.
 */
export type Ranges = Record<string, { min: number; max: number; whole?: boolean }>;

/**
 * One sentence for a person about the first issue. @param subject what was checked, for an issue of the whole value:
 * "The request body"
 */
export function explainIssues(
  error: { readonly issues: readonly Issue[] },
  subject: string,
  ranges: Ranges = {},
): string {
  const issue = error.issues[0];
  if (!issue) return `${subject} is not valid.`;
  const field = issue.path.length > 0 ? issue.path.join('.') : subject;
  const range =
    ranges[field] ?? ranges[String(issue.path.at(-1) ?? subject)] ?? ranges[issue.path.slice(0, -1).join('.')];
  const concernsFields =
    issue.code === 'unrecognized_keys' || (issue.code === 'invalid_type' && issue.expected === 'object');
  const numeric = range && !concernsFields;
  const requirement = numeric
    ? `must be a ${range.whole === false ? 'number' : 'whole number'} from ${range.min} to ${range.max}`
    : demand(issue);
  const secret = !range && (issue.path.length === 0 || issue.path.some((key) => secretFields.has(key)));
  return `${field} ${requirement}; got ${shown(issue.input, secret)}.`;
}
