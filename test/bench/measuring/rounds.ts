/** Interleaved rounds: what is compared is measured in turn, A B C A B C, because machines change under one's hands. */
import { setTimeout as pause } from 'node:timers/promises';

type Measured<M extends Record<string, () => Promise<unknown>>> = { [Name in keyof M]: Awaited<ReturnType<M[Name]>>[] };

/**
 * What a measure leaves to be done, such as a file that is being rewritten, is not to be done while the next one is
 * measured.
 */
const REST_MS = 500;

/**
 * Measures all in turn, `rounds` times, after one turn that only warms them up; answers what each found, round by
 * round.
 */
export async function interleave<M extends Record<string, () => Promise<unknown>>>(
  label: string,
  rounds: number,
  measures: M,
): Promise<Measured<M>> {
  const values = Object.fromEntries(Object.keys(measures).map((name) => [name, []])) as unknown as Measured<M>;
  process.stderr.write(`${label}: warming up`);
  for (let round = 0; round <= rounds; round++) {
    if (round > 0) process.stderr.write(` ${round}`);
    for (const [name, measure] of Object.entries(measures)) {
      await pause(REST_MS);
      const value = await measure();
      if (round > 0) (values[name] as unknown[]).push(value);
    }
  }
  process.stderr.write('\n');
  return values;
}
