/** The steps of a simulation that change a queue, and the last moment of a job. */
import { expect } from 'vitest';
import { ENDPOINT, refused, type World } from './world.ts';

export function purge(world: World): void {
  const { inQueue } = world.jobs.queueOf(ENDPOINT).counters;
  const waiting = [...world.model.known.values()].filter(({ id }) => world.jobs.get(id)?.status === 'IN_QUEUE');
  for (const known of waiting) known.asked.end = true;
  world.jobs.purge(ENDPOINT, (error, removed) => {
    if (!error) expect(removed, 'a purge removes what waited').toBe(inQueue);
  });
}

export function move(world: World): void {
  const waiting = world.jobs.first(ENDPOINT, Infinity);
  if (waiting.length < 2) return;
  const [job, before] = [world.oneOf(waiting), world.random.below(4) === 0 ? null : world.oneOf(waiting)];
  const refusal = refused(() => world.jobs.move(job, before, () => undefined));
  expect(refusal?.code ?? 'CONFLICT', 'only a purge is in the way').toBe('CONFLICT');
  if (refusal || job === before) return;
  const order = world.jobs.first(ENDPOINT, Infinity);
  expect(order.length).toBe(waiting.length);
  expect(order[order.indexOf(job) + 1] ?? null, 'the job that comes next').toBe(before);
}

export function release(world: World): void {
  const aside = world.jobs.quarantined();
  if (aside.length > 0) world.jobs.release(world.oneOf(aside), () => undefined);
}

/** To the very millisecond at which a job is to go, and to the one before. */
export function edge(world: World): void {
  const one = world.randomJob();
  if (!one) return;
  const { submittedAt, ttlMs, end, retentionMs, id } = one.known;
  const at = Math.min(submittedAt + ttlMs, end ? end.finishedAt + retentionMs : Infinity);
  const leftMs = at - world.clock.now();
  if (leftMs < 2 || one.known.asked.ttlMs.length > 0 || one.job.pendingWrites > 0) return;
  world.clock.advance(leftMs - 1);
  world.commitAll();
  // It may have ended by itself meanwhile, and so have another last moment.
  if (!world.jobs.get(id) || world.jobs.get(id)!.finishedAt !== (end?.finishedAt ?? null)) return;
  world.clock.advance(1);
  // Its end may be under way in that very moment, which goes before.
  world.commitAll();
  world.clock.advance(0);
  expect(world.jobs.get(id), `${id} at its last moment`).toBeUndefined();
}
