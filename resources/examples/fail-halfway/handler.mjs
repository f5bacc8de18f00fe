import { setTimeout as pause } from 'node:timers/promises';

class OutOfMemoryError extends Error {
  name = 'OutOfMemoryError';
}

/** Works for a while and then fails: the chunks stay readable, and the job ends FAILED with what was thrown. */
export default async function* handler(job, { signal }) {
  const { steps = 12, failAt = 7, delayMs = 120 } = job.input;

  for (let step = 1; step <= steps; step += 1) {
    await pause(delayMs, undefined, { signal });
    if (step === failAt) allocate(step, steps);
    yield { step, of: steps, loss: Number((2.4 * 0.83 ** step).toFixed(4)) };
  }
}

function allocate(step, steps) {
  throw new OutOfMemoryError(
    `Step ${step} of ${steps} needs 9.31 GiB for its activations, and 3.07 GiB are free. Try a smaller batch.`,
  );
}
