/** Inputs and results in memory: the newest, up to a size. */
import { expect, test } from 'vitest';
import type { Job } from '../jobRecord.ts';
import { createPayloadCache } from './payloadCache.ts';

const ended = (output: string): Job => ({ output }) as Job;

test('the newest outputs stay within the size, and the oldest go first', () => {
  const outputs = createPayloadCache('output', 10 * (10 + 256));
  const jobs = Array.from({ length: 30 }, () => ended('x'.repeat(10)));
  jobs.forEach(outputs.stored);
  expect(jobs.map(({ output }) => output !== null)).toEqual([
    ...Array.from({ length: 20 }, () => false),
    ...Array.from({ length: 10 }, () => true),
  ]);
});

test('a long output is let go of at once', () => {
  const job = ended('x'.repeat(70_000));
  createPayloadCache('output').stored(job);
  expect(job.output).toBeNull();
});

test('a job that was queued again keeps the output of its new attempt', () => {
  const outputs = createPayloadCache('output', 300);
  const job = ended('"first"');
  outputs.stored(job);
  job.output = '"second"';
  outputs.stored(ended('"another"'));
  expect(job.output).toBe('"second"');
});

test('short outputs do not keep more jobs in memory than long ones', () => {
  const outputs = createPayloadCache('output', 100 * 257);
  const jobs = Array.from({ length: 300 }, () => ended('1'));
  jobs.forEach(outputs.stored);
  expect(jobs.filter(({ output }) => output !== null)).toHaveLength(100);
});

test('inputs are kept in the same way', () => {
  const bodies = createPayloadCache('body', 300);
  const [first, second] = [{ body: '{"input":1}' }, { body: '{"input":2}' }] as [Job, Job];
  bodies.stored(first);
  expect(first.body).toBe('{"input":1}');
  bodies.stored(second);
  expect([first.body, second.body]).toEqual([null, '{"input":2}']);
});

test('what nobody asks for any more makes room, and is held no longer', () => {
  const outputs = createPayloadCache('output', 1000 * (10 + 256));
  const jobs = Array.from({ length: 1000 }, () => ended('x'.repeat(10)));
  jobs.forEach(outputs.stored);
  const newer = Array.from({ length: 400 }, () => ended('y'.repeat(10)));
  jobs.slice(400).forEach(outputs.release);
  newer.forEach(outputs.stored);
  expect([...jobs, ...newer].map(({ output }) => output !== null)).toEqual([
    ...Array.from({ length: 400 }, () => true),
    ...Array.from({ length: 600 }, () => false),
    ...Array.from({ length: 400 }, () => true),
  ]);
});
