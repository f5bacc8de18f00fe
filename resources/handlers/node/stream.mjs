/** Streams a greeting word by word. Change the function to what your endpoint does. */
import { setTimeout as pause } from 'node:timers/promises';

/** Also returns the list of all chunks as the result of the job. */
export const aggregateStream = true;

export default async function* handler(job, { signal }) {
  const { name = 'world' } = job.input;
  // What you print is in the log of the job.
  console.log(`Greeting ${name}`);
  for (const word of `Hello, ${name}! Each word is one chunk.`.split(' ')) {
    // A cancelled job ends this pause, and with it the handler.
    await pause(200, undefined, { signal });
    // It reaches the reader while the job still runs.
    yield `${word} `;
  }
}
