/** A worker's error for a person: the sentence first, the rest to be unfolded. */

export interface ReadError {
  headline: string;
  detail: string | null;
}

/** Reads what workers send: plain text, a Node stack, a Python traceback, or the JSON that the public worker makes. */
export function readError(error: string): ReadError {
  const structured = readStructured(error);
  if (structured) return structured;
  const lines = error.trimEnd().split('\n');
  const isTraceback = (lines[0] ?? '').startsWith('Traceback');
  const headline = ((isTraceback ? lines.at(-1) : lines[0]) ?? '').trim();
  const rest = isTraceback ? lines.slice(0, -1) : lines.slice(1);
  const detail = rest.join('\n').trimEnd();
  return { headline, detail: detail.trim() === '' ? null : detail };
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
    const type = text('error_type')?.replace(/^<class '(.*)'>$/, '$1');
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
