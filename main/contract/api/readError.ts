/** A worker's error for a person: the sentence first, the rest to be unfolded. */

export interface ReadError {
  headline: string;
  detail: string | null;
}

/**
 * Reads what workers send: plain text, a Node stack, a Python traceback, the JSON that the public worker makes, or the list
 * of sentences that a validator of input makes.
 */
export function readError(error: string): ReadError {
  const structured = readStructured(error);
  if (structured) return structured;
  const sentences = validationSentences(error.trim());
  if (sentences !== null) return { headline: sentences, detail: null };
  const lines = error.trimEnd().split('\n');
  const isTraceback = (lines[0] ?? '').startsWith('Traceback');
  const headline = ((isTraceback ? lines.at(-1) : lines[0]) ?? '').trim();
  const rest = isTraceback ? lines.slice(0, -1) : lines.slice(1);
  const detail = rest.join('\n').trimEnd();
  return { headline, detail: detail.trim() === '' ? null : detail };
}

const PYTHON_CLASS = /<class '([\w.]+)'>/g;
/** How JSON and Python write a text: in double quotes, and Python mostly in single ones. */
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/;
const LIST = new RegExp(String.raw`^\[(?:${QUOTED.source})(?:,\s*(?:${QUOTED.source}))*\]$`, 's');
/** The validator of the public worker SDK answers "errors"; handlers hand that on, or the list alone as "error". */
const FIELD = /^\{\s*"errors?":\s*(\[.*\])\s*\}$/s;

/** The sentences of a list of texts, such as '["steps does not meet the constraints."]'; null for anything else. */
function validationSentences(error: string): string | null {
  const list = FIELD.exec(error)?.[1] ?? error;
  if (!LIST.test(list)) return null;
  const texts = Array.from(list.matchAll(new RegExp(QUOTED, 'gs')), ([quoted]) => unquoted(quoted).trim());
  const areSentences = texts.every((text) => /[.!?]$/.test(text));
  return texts.join(areSentences ? ' ' : '; ').replace(PYTHON_CLASS, '$1') || null;
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // A text of Python: of its escapes, a line break and the signs that stand for themselves occur in sentences.
    return quoted.slice(1, -1).replace(/\\(.)/gs, (_, sign: string) => (sign === 'n' ? '\n' : sign));
  }
}

function readStructured(error: string): ReadError | null {
  if (!error.startsWith('{')) return null;
  try {
    const fields: unknown = JSON.parse(error);
    if (typeof fields !== 'object' || fields === null) return null;
    const text = (name: string): string | null => {
      const value: unknown = Reflect.get(fields, name);
      return typeof value === 'string' && value !== '' ? value : null;
    };
    // Some exceptions have no message, such as Python's MemoryError: then the type is all there is to say.
    const type = text('error_type')?.replace(PYTHON_CLASS, '$1');
    const headline = [type, text('error_message')].filter(Boolean).join(': ');
    if (headline === '' || !('error_message' in fields)) return null;
    const traceback = text('error_traceback');
    const cause = text('error_cause');
    if (cause === null) return { headline, detail: traceback };
    return { headline: cause, detail: traceback === null ? headline : `${headline}\n${traceback}` };
  } catch {
    // Looks like JSON and is not: plain text then.
    return null;
  }
}
