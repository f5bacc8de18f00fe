/** The steps of a simulation that workers take: they ask for jobs, stream, and end them. */
import { expect } from 'vitest';
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { Job } from '../../main/engine/domain/jobs/jobRecord.ts';
import type { Hand, SimWorker } from './workers.ts';
import { refused, type World } from './world.ts';

const inHand = (world: World, worker: SimWorker): { hand: Hand; job: Job } | null => {
  if (worker.hands.size === 0) return null;
  const hand = world.oneOf([...worker.hands.values()]);
  const job = world.jobs.get(hand.jobId);
  if (job) return { hand, job };
  worker.hands.delete(hand.jobId);
  return null;
};

export function take(world: World, worker: SimWorker): void {
  if (worker.parked) return;
  worker.parked = true;
  const of = world.jobs;
  const lost = world.random.below(12) === 0;
  const deliver = (taken: Job[]): void => {
    if (of !== world.jobs) return;
    worker.parked = false;
    for (const job of taken) {
      expect(job.crashes, 'what is set aside is handed to nobody').toBeLessThan(limits.crashesToSetAside);
      expect([job.status, job.workerId], 'what is handed over is handed to its worker').toEqual([
        'IN_PROGRESS',
        worker.id,
      ]);
      if (lost || !world.workers.all.includes(worker)) world.jobs.giveBack(job);
      else worker.hands.set(job.id, { jobId: job.id, attempt: job.retries, chunksSent: 0 });
    }
  };
  const max = 1 + world.random.below(3);
  if (world.random.below(3) === 0) world.jobs.takeNow(world.registered(worker), max, deliver);
  else world.jobs.take(world.registered(worker), max, deliver);
}

export function finish(world: World, worker: SimWorker): void {
  const jobInHand = inHand(world, worker);
  if (!jobInHand) return;
  const { hand, job } = jobInHand;
  world.registered(worker);
  const progress = world.random.below(5) === 0;
  const error = world.random.below(3) === 0 ? 'the handler failed' : null;
  const output = world.random.below(4) === 0 ? null : `"${hand.attempt} by ${worker.id} at ${world.clock.elapsed()}"`;
  const ended = isTerminal(job.status);
  const known = world.model.known.get(job.id);
  if (!progress) worker.hands.delete(job.id);
  const status = error === null ? 'COMPLETED' : 'FAILED';
  let finishedAt = 0;
  const refusal = refused(() =>
    world.jobs.result(
      job,
      worker.id,
      { progress, output, error: progress ? null : error, stopWorker: false },
      (failure) => {
        if (progress || ended || failure) return;
        world.model.ended(job.id, status, output, finishedAt);
      },
    ),
  );
  finishedAt = job.finishedAt ?? 0;
  if (!refusal && !progress && known) known.asked.end = true;
  if (refusal) expect(refusal.code).toBe('CONFLICT');
}

export function stream(world: World, worker: SimWorker): void {
  const jobInHand = inHand(world, worker);
  if (!jobInHand) return;
  const { hand, job } = jobInHand;
  world.registered(worker);
  // Lost, and given the very same job again: of one worker the protocol cannot tell attempts apart.
  if (job.workerId === worker.id && job.retries !== hand.attempt) {
    worker.hands.delete(job.id);
    return;
  }
  const texts = Array.from(
    { length: 1 + world.random.below(3) },
    (_, i) => `{"output":"${hand.attempt}.${hand.chunksSent + i}"}`,
  );
  const refusal = refused(() => world.jobs.append(job, worker.id, texts, () => undefined));
  if (refusal) worker.hands.delete(job.id);
  else hand.chunksSent += texts.length;
}
