import { setTimeout as pause } from 'node:timers/promises';

/** Each `yield` is one chunk of the stream; it reaches the reader while the job still runs. */
export default async function* handler(job, { signal }) {
  const { text, delayMs = 60 } = job.input;
  if (typeof text !== 'string') throw new TypeError('input.text must be a string: the text to stream.');
  if (!(delayMs >= 0 && delayMs <= 10_000)) throw new RangeError('input.delayMs must be between 0 and 10000.');

  for (const word of text.match(/\s*\S+(\s+$)?/g) ?? []) {
    // A cancelled job ends this pause, and with it the handler.
    await pause(delayMs, undefined, { signal });
    yield word;
  }
}
