/**
 * The steps of a simulation that clients take: they submit jobs, read, cancel and retry them, and change their time to
 * live.
 */
import { expect } from 'vitest';
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { ENDPOINT, refused, type World } from './world.ts';

const TTLS = [10_000, 60_000, 3_600_000, limits.ttlMs.default];
const TIMEOUTS = [5000, 60_000, limits.executionTimeoutMs.default];

export function submit(world: World): void {
  const policy = {
    ttl: world.oneOf(TTLS),
    executionTimeout: world.oneOf(TIMEOUTS),
    lowPriority: world.random.below(5) === 0,
  };
  const retentionMs = world.oneOf(Object.values(limits.retentionMs));
  const sync = world.random.below(2) === 0;
  world.jobs.submit(
    { endpointId: ENDPOINT, request: { input: {}, policy }, body: '{"input":{}}', sync, retentionMs },
    (error, job) => {
      if (!error) world.model.submitted(job);
    },
  );
}

/** A reader gets the chunks of one attempt in order and once. */
export function read(world: World): void {
  const one = world.randomJob();
  if (!one) return;
  const { known, job } = one;
  let next = known.heard.get(job.retries) ?? 0;
  let before = -1;
  for (const text of world.jobs.read(job)) {
    const [attempt, n] = (JSON.parse(text) as { output: string }).output.split('.').map(Number);
    expect(attempt, `${job.id}: chunks are of the attempt`).toBe(job.retries);
    // A crash or a full disk may take chunks that were not acknowledged, and the note of what was read.
    if (world.wasTroubled) expect(n).toBeGreaterThan(before);
    else expect(n, `${job.id}: chunks are in order, each once`).toBe(next);
    before = n!;
    next = n! + 1;
  }
  known.heard.set(job.retries, next);
}

export function cancel(world: World): void {
  const one = world.randomJob();
  if (!one) return;
  const { known, job } = one;
  const before = job.status;
  let finishedAt = 0;
  const refusal = refused(() =>
    world.jobs.cancel(job, (error) => {
      if (before === 'CANCELLED' || error) return;
      world.model.ended(job.id, 'CANCELLED', null, finishedAt);
    }),
  );
  expect(refusal === null, `cancelling a job that is ${before}`).toBe(!isTerminal(before) || before === 'CANCELLED');
  if (refusal || before === 'CANCELLED') return;
  finishedAt = job.finishedAt ?? 0;
  known.asked.end = true;
}

export function retry(world: World): void {
  const one = world.randomJob();
  if (!one) return;
  const { known, job } = one;
  const before = job.status;
  const refusal = refused(() =>
    world.jobs.retry(job, (error) => {
      if (!error) known.end = null;
    }),
  );
  expect(refusal === null, `retrying a job that is ${before}`).toBe(before === 'FAILED' || before === 'TIMED_OUT');
  if (!refusal) known.asked.retry = true;
}

export function setTtl(world: World): void {
  const one = world.randomJob();
  if (!one) return;
  const { known, job } = one;
  const ttlMs = world.oneOf(TTLS);
  known.asked.ttlMs.push(ttlMs);
  world.jobs.setTtl(job, ttlMs, (error) => {
    if (!error) known.ttlMs = ttlMs;
  });
}
