/** Reads a list of inputs, JSON Lines or CSV, into request bodies. Each line that cannot be read gets a problem. */
import { jobRequestSchema } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { formatBytes, formatCount } from '../../../ui/text/format.ts';
import { readCsv } from '../../../ui/output/readCsv.ts';
import { lintRequest } from '../editor/lintRequest.ts';
import { memberAt, readText } from '../editor/requestText.ts';
import { counted, t } from '../../../language/text.ts';

export interface ListedInput {
  /** The line of the list, from 1. */
  line: number;
  /** A request body as JSON text. */
  body: string;
}

export interface LineProblem {
  line: number;
  message: string;
}

export interface InputList {
  format: 'JSON Lines' | 'CSV';
  inputs: ListedInput[];
  /** In the order of the list; nothing is sent while there are any. */
  problems: LineProblem[];
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A line of JSON: a request with "input", or the input itself. A string is what is wrong with it. */
function bodyOfLine(text: string): { body: string } | string {
  const json = readText(text);
  if (!json.ok) return json.message;
  if (json.root.kind !== 'object') return t`Each line must be an object: an input, or a request with "input".`;
  const member = memberAt(json.root, ['input']);
  const body = member?.value.kind === 'object' ? text : `{"input": ${text}}`;
  if (memberAt(json.root, ['s3Config']) && body === text) {
    return t`A batch stores no keys, so "s3Config" is refused. Run this input alone.`;
  }
  const [problem] = jobRequestSchema.safeParse(JSON.parse(body)).success ? [] : lintRequest(body);
  return problem ? problem.message : { body };
}

/** A cell as JSON: numbers, true, false and null as such, objects and lists as they are, all else as a text. */
function valueOfCell({ text, isQuoted }: { text: string; isQuoted: boolean }): string {
  if (/^\s*[[{]/.test(text) && readText(text).ok) return text.trim();
  if (!isQuoted && (NUMBER.test(text) || ['true', 'false', 'null'].includes(text))) return text;
  return JSON.stringify(text);
}

function listOfCsv(text: string): Omit<InputList, 'format'> {
  const { rows, problem } = readCsv(text);
  if (problem !== null) return { inputs: [], problems: [problem] };
  const [head, ...rest] = rows;
  const names = head?.cells.map((cell) => cell.text.trim()) ?? [];
  const problems: LineProblem[] = [];
  const line = head?.line ?? 1;
  if (names.includes('')) problems.push({ line, message: t`Every column needs a name in the first line.` });
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) problems.push({ line, message: t`Two columns have the name "${twice}".` });
  if (problems.length === 0 && rest.length === 0) {
    problems.push({ line, message: t`There are no inputs below the column names.` });
  }
  const inputs: ListedInput[] = [];
  for (const row of rest) {
    if (row.cells.length > names.length) {
      const message = t`This line has ${row.cells.length} values, but the first line has ${counted(names.length, '{0} column name', '{0} column names')}.`;
      problems.push({ line: row.line, message });
      continue;
    }
    // An empty cell leaves its field out, unless it is quoted.
    const members = row.cells.flatMap((cell, index) =>
      cell.text === '' && !cell.isQuoted ? [] : [`${JSON.stringify(names[index])}: ${valueOfCell(cell)}`],
    );
    inputs.push({ line: row.line, body: `{"input": {${members.join(', ')}}}` });
  }
  return { inputs, problems };
}

function listOfLines(text: string): Omit<InputList, 'format'> {
  const inputs: ListedInput[] = [];
  const problems: LineProblem[] = [];
  text.split('\n').forEach((raw, index) => {
    const trimmed = raw.trim();
    if (trimmed === '') return;
    const result = bodyOfLine(trimmed);
    if (typeof result === 'string') problems.push({ line: index + 1, message: result });
    else inputs.push({ line: index + 1, ...result });
  });
  return { inputs, problems };
}

/** The list's faults as a whole: too many inputs, or too large. */
function wholeProblems(inputs: readonly ListedInput[]): LineProblem[] {
  const { inputs: most, bytes: mostBytes } = limits.batch;
  const extra = inputs[most];
  if (extra) {
    const message = t`The list has ${formatCount(inputs.length)} inputs; a batch has at most ${formatCount(most)}. Split it here.`;
    return [{ line: extra.line, message }];
  }
  let bytes = 0;
  for (const { line, body } of inputs) {
    bytes += new Blob([body]).size;
    if (bytes > mostBytes) {
      return [
        { line, message: t`The inputs up to here have more than ${formatBytes(mostBytes)}. Split the list here.` },
      ];
    }
  }
  return [];
}

/** Null for an empty text. JSON Lines begin with an object; everything else is CSV with names in its first line. */
export function readInputs(text: string): InputList | null {
  const clean = text.replace(/^\uFEFF/, '');
  const first = clean.trimStart()[0];
  if (first === undefined) return null;
  const isJson = first === '{' || first === '[';
  const { inputs, problems } = isJson ? listOfLines(clean) : listOfCsv(clean);
  return { format: isJson ? 'JSON Lines' : 'CSV', inputs, problems: [...problems, ...wholeProblems(inputs)] };
}
