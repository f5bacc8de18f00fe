/** Results in memory: the newest, up to a size. */
import { expect, test } from 'vitest';
import type { Job } from './job.ts';
import { createRecentOutputs } from './recentOutputs.ts';

const ended = (output: string): Job => ({ output }) as Job;

test('the newest outputs stay within the size, and the oldest go first', () => {
  const outputs = createRecentOutputs(100);
  const jobs = Array.from({ length: 30 }, () => ended('x'.repeat(10)));
  jobs.forEach(outputs.stored);
  expect(jobs.map(({ output }) => output !== null)).toEqual([
    ...Array.from({ length: 20 }, () => false),
    ...Array.from({ length: 10 }, () => true),
  ]);
});

test('a long output is let go of at once', () => {
  const job = ended('x'.repeat(70_000));
  createRecentOutputs().stored(job);
  expect(job.output).toBeNull();
});

test('a job that was queued again keeps the output of its new attempt', () => {
  const outputs = createRecentOutputs(10);
  const job = ended('"first"');
  outputs.stored(job);
  job.output = '"second"';
  outputs.stored(ended('"another"'));
  expect(job.output).toBe('"second"');
});
