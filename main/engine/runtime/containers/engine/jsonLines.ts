/** Reads the streamed responses of container engines, with one JSON value in each line. */
import { addAbortSignal, Readable } from 'node:stream';

/** Yields each value. Throws when the response breaks off, and when `signal` aborts, which closes the connection. */
export async function* jsonLines(answer: NodeJS.ReadableStream, signal?: AbortSignal): AsyncGenerator {
  if (!(answer instanceof Readable)) throw new Error('The container engine answered without a stream.');
  if (signal) addAbortSignal(signal, answer);
  let rest = '';
  for await (const part of answer.setEncoding('utf8')) {
    const [first = '', ...others] = String(part).split('\n');
    rest += first;
    for (const next of others) {
      if (rest.trim() !== '') yield JSON.parse(rest);
      rest = next;
    }
  }
  if (rest.trim() !== '') yield JSON.parse(rest);
}
