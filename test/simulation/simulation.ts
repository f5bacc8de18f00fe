/**
 * The rules of jobs under random use: operations, workers that die or go silent, failed commits, crashes at any point of a
 * commit, clocks that are set. Everything random comes from one seed, so that a run can be had again.
 */
import { expect } from 'vitest';
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Job } from '../../main/engine/domain/jobs/jobRecord.ts';
import { type Jobs } from '../../main/engine/domain/jobs/jobs.ts';
import { createLoadedJobs } from '../support/jobs/loadedJobs.ts';
import { createFakeClock, createFakeIds, createFakeJobStore, silentLogger } from '../support/core/fakes.ts';
import { createRandom } from '../support/core/random.ts';
import { expectConsistent } from './consistency.ts';
import { createModel, type Known } from './model.ts';
import { createSimWorkers, type Hand, type SimWorker } from './workers.ts';

const ENDPOINT = 'ep';
const STEPS = 120;
const TTLS = [10_000, 60_000, 3_600_000, limits.ttlMs.default];
const TIMEOUTS = [5000, 60_000, limits.executionTimeoutMs.default];
const PASSING = [0, 1, 7, 500, 5000, 20_000, 46_000, 61_000, 1_900_000];

/** Runs one simulation to its end; throws where a rule is broken. `note` is told each step. */
export async function simulate(seed: number, note: (what: string) => void = () => undefined): Promise<void> {
  const random = createRandom(seed);
  const oneOf = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const clock = createFakeClock();
  const ids = createFakeIds();
  const model = createModel();
  const workers = createSimWorkers(random);
  /** Rows that are to go as soon as that can be stored, even if the clock is set back meanwhile. */
  const overdue = new Set<number>();
  let store = createFakeJobStore();
  let jobs = start();

  function start(): Jobs {
    return createLoadedJobs({
      clock,
      ids,
      store,
      logger: silentLogger,
      executionTimeoutMs: () => limits.executionTimeoutMs.default,
      onDemand: () => undefined,
      onRecycle(workerId) {
        const worker = workers.all.find(({ id }) => id === workerId);
        if (worker) die(worker, false);
      },
    });
  }

  /** A refusal is an answer; anything else thrown is a fault. */
  function refused(act: () => void): AppError | null {
    try {
      act();
      return null;
    } catch (error) {
      if (error instanceof AppError && error.code !== 'INTERNAL') return error;
      throw error;
    }
  }

  const randomJob = (): { known: Known; job: Job } | null => {
    const list = [...model.known.values()];
    if (list.length === 0) return null;
    const known = oneOf(list);
    const job = jobs.get(known.id);
    return job ? { known, job } : null;
  };

  const registered = (worker: SimWorker) =>
    worker.own
      ? (jobs.workers.get(worker.id) ?? jobs.workers.addOwn(worker.id, ENDPOINT))
      : jobs.workers.touch(worker.id, ENDPOINT);

  function die(worker: SimWorker, counts: boolean): void {
    workers.remove(worker);
    const known = jobs.workers.get(worker.id);
    if (known) jobs.workerGone(known, 'it died', counts);
  }

  function take(worker: SimWorker): void {
    if (worker.parked) return;
    worker.parked = true;
    const of = jobs;
    const lost = random.below(12) === 0;
    const deliver = (taken: Job[]): void => {
      if (of !== jobs) return;
      worker.parked = false;
      for (const job of taken) {
        expect(job.crashes, 'what is set aside is handed to nobody').toBeLessThan(limits.crashesToSetAside);
        expect([job.status, job.workerId], 'what is handed over is handed to its worker').toEqual([
          'IN_PROGRESS',
          worker.id,
        ]);
        if (lost || !workers.all.includes(worker)) jobs.giveBack(job);
        else worker.hands.set(job.id, { jobId: job.id, attempt: job.retries, chunksSent: 0 });
      }
    };
    const max = 1 + random.below(3);
    if (random.below(3) === 0) jobs.takeNow(registered(worker), max, deliver);
    else jobs.take(registered(worker), max, deliver);
  }

  const inHand = (worker: SimWorker): { hand: Hand; job: Job } | null => {
    if (worker.hands.size === 0) return null;
    const hand = oneOf([...worker.hands.values()]);
    const job = jobs.get(hand.jobId);
    if (job) return { hand, job };
    worker.hands.delete(hand.jobId);
    return null;
  };

  function finish(worker: SimWorker): void {
    const jobInHand = inHand(worker);
    if (!jobInHand) return;
    const { hand, job } = jobInHand;
    registered(worker);
    const progress = random.below(5) === 0;
    const error = random.below(3) === 0 ? 'the handler failed' : null;
    const output = random.below(4) === 0 ? null : `"${hand.attempt} by ${worker.id} at ${clock.elapsed()}"`;
    const ended = isTerminal(job.status);
    const known = model.known.get(job.id);
    if (!progress) worker.hands.delete(job.id);
    const status = error === null ? 'COMPLETED' : 'FAILED';
    let finishedAt = 0;
    const refusal = refused(() =>
      jobs.result(
        job,
        worker.id,
        { progress, output, error: progress ? null : error, stopWorker: false },
        (failure) => {
          if (progress || ended || failure) return;
          model.ended(job.id, status, output, finishedAt);
        },
      ),
    );
    finishedAt = job.finishedAt ?? 0;
    if (!refusal && !progress && known) known.asked.end = true;
    if (refusal) expect(refusal.code).toBe('CONFLICT');
  }

  function stream(worker: SimWorker): void {
    const jobInHand = inHand(worker);
    if (!jobInHand) return;
    const { hand, job } = jobInHand;
    registered(worker);
    // Lost, and given the very same job again: of one worker the protocol cannot tell attempts apart.
    if (job.workerId === worker.id && job.retries !== hand.attempt) {
      worker.hands.delete(job.id);
      return;
    }
    const texts = Array.from(
      { length: 1 + random.below(3) },
      (_, i) => `{"output":"${hand.attempt}.${hand.chunksSent + i}"}`,
    );
    const refusal = refused(() => jobs.append(job, worker.id, texts, () => undefined));
    if (refusal) worker.hands.delete(job.id);
    else hand.chunksSent += texts.length;
  }

  /** A reader hears the chunks of one attempt in order and once. */
  let troubled = false;
  function read(): void {
    const one = randomJob();
    if (!one) return;
    const { known, job } = one;
    let next = known.heard.get(job.retries) ?? 0;
    let before = -1;
    for (const text of jobs.read(job)) {
      const [attempt, n] = (JSON.parse(text) as { output: string }).output.split('.').map(Number);
      expect(attempt, `${job.id}: chunks are of the attempt`).toBe(job.retries);
      // A crash or a full disk may take chunks that were not acknowledged, and the note of what was read.
      if (troubled) expect(n).toBeGreaterThan(before);
      else expect(n, `${job.id}: chunks are in order, each once`).toBe(next);
      before = n!;
      next = n! + 1;
    }
    known.heard.set(job.retries, next);
  }

  function submit(): void {
    const policy = {
      ttl: oneOf(TTLS),
      executionTimeout: oneOf(TIMEOUTS),
      lowPriority: random.below(5) === 0,
    };
    const retentionMs = oneOf(Object.values(limits.retentionMs));
    const sync = random.below(2) === 0;
    jobs.submit(
      { endpointId: ENDPOINT, request: { input: {}, policy }, body: '{"input":{}}', sync, retentionMs },
      (error, job) => {
        if (!error) model.submitted(job);
      },
    );
  }

  function cancel(): void {
    const one = randomJob();
    if (!one) return;
    const { known, job } = one;
    const before = job.status;
    let finishedAt = 0;
    const refusal = refused(() =>
      jobs.cancel(job, (error) => {
        if (before === 'CANCELLED' || error) return;
        model.ended(job.id, 'CANCELLED', null, finishedAt);
      }),
    );
    expect(refusal === null, `cancelling a job that is ${before}`).toBe(!isTerminal(before) || before === 'CANCELLED');
    if (refusal || before === 'CANCELLED') return;
    finishedAt = job.finishedAt ?? 0;
    known.asked.end = true;
  }

  function retry(): void {
    const one = randomJob();
    if (!one) return;
    const { known, job } = one;
    const before = job.status;
    const refusal = refused(() =>
      jobs.retry(job, (error) => {
        if (!error) known.end = null;
      }),
    );
    expect(refusal === null, `retrying a job that is ${before}`).toBe(before === 'FAILED' || before === 'TIMED_OUT');
    if (!refusal) known.asked.retry = true;
  }

  function purge(): void {
    const { inQueue } = jobs.queueOf(ENDPOINT).counters;
    const waiting = [...model.known.values()].filter(({ id }) => jobs.get(id)?.status === 'IN_QUEUE');
    for (const known of waiting) known.asked.end = true;
    jobs.purge(ENDPOINT, (error, removed) => {
      if (!error) expect(removed, 'a purge removes what waited').toBe(inQueue);
    });
  }

  function move(): void {
    const waiting = jobs.first(ENDPOINT, Infinity);
    if (waiting.length < 2) return;
    const [job, before] = [oneOf(waiting), random.below(4) === 0 ? null : oneOf(waiting)];
    const refusal = refused(() => jobs.move(job, before, () => undefined));
    expect(refusal?.code ?? 'CONFLICT', 'only a purge is in the way').toBe('CONFLICT');
    if (refusal || job === before) return;
    const order = jobs.first(ENDPOINT, Infinity);
    expect(order.length).toBe(waiting.length);
    expect(order[order.indexOf(job) + 1] ?? null, 'the job that comes next').toBe(before);
  }

  function release(): void {
    const aside = jobs.quarantined();
    if (aside.length > 0) jobs.release(oneOf(aside), () => undefined);
  }

  function setTtl(): void {
    const one = randomJob();
    if (!one) return;
    const { known, job } = one;
    const ttlMs = oneOf(TTLS);
    known.asked.ttlMs.push(ttlMs);
    jobs.setTtl(job, ttlMs, (error) => {
      if (!error) known.ttlMs = ttlMs;
    });
  }

  /** To the very millisecond at which a job is to go, and to the one before. */
  function edge(): void {
    const one = randomJob();
    if (!one) return;
    const { submittedAt, ttlMs, end, retentionMs, id } = one.known;
    const at = Math.min(submittedAt + ttlMs, end ? end.finishedAt + retentionMs : Infinity);
    const leftMs = at - clock.now();
    if (leftMs < 2 || one.known.asked.ttlMs.length > 0 || one.job.pendingWrites > 0) return;
    clock.advance(leftMs - 1);
    commitAll();
    // It may have ended by itself meanwhile, and so have another last moment.
    if (!jobs.get(id) || jobs.get(id)!.finishedAt !== (end?.finishedAt ?? null)) return;
    clock.advance(1);
    // Its end may be under way in that very moment, which goes before.
    commitAll();
    clock.advance(0);
    expect(jobs.get(id), `${id} at its last moment`).toBeUndefined();
  }

  function commitAll(): void {
    while (store.waiting() > 0) store.commit();
  }

  function crash(): void {
    store.crash(random.below(store.waiting() + 1));
    jobs.stop();
    workers.engineGone();
    store = createFakeJobStore(store);
    model.restarted(store.rows.values());
    troubled = true;
    jobs = start();
    clock.advance(0);
  }

  async function settle(): Promise<void> {
    do {
      commitAll();
      for (let i = 0; i < 3; i++) await Promise.resolve();
    } while (store.waiting() > 0);
  }

  /** With nothing left to commit. */
  function check(): void {
    // Time passes in the engine only with its timers: what is due now is due.
    clock.advance(0);
    commitAll();
    expectConsistent({ jobs, rows: store.rows, clock, overdue, endpointId: ENDPOINT });
    model.check(
      clock,
      (id) => jobs.get(id),
      (job) => jobs.output(job),
    );
  }

  const steps: readonly [weight: number, name: string, act: () => void | Promise<void>][] = [
    [10, 'submit', submit],
    [10, 'take', () => take(workers.any())],
    [8, 'finish', () => finish(workers.any())],
    [6, 'stream', () => stream(workers.any())],
    [5, 'read', read],
    [3, 'cancel', cancel],
    [4, 'retry', retry],
    [1, 'purge', purge],
    [1, 'setTtl', setTtl],
    [3, 'move', move],
    [1, 'release', release],
    [2, 'edge', edge],
    [4, 'advance', () => clock.advance(oneOf(PASSING))],
    [
      1,
      'jump',
      async () => {
        // What is gone by the old time is looked for by the old time.
        await settle();
        check();
        clock.jump(oneOf([-7_200_000, -1000, 1000, 7_200_000]));
        // A clock that was set is noticed within a minute.
        clock.advance(60_000);
      },
    ],
    [2, 'die', () => die(workers.any(), random.below(2) === 0)],
    [2, 'register', () => registered(workers.any())],
    [12, 'commit', () => store.commit()],
    [
      1,
      'fail',
      async () => {
        store.commit(new Error('the disk is full'));
        troubled = true;
        await settle();
        // What could not be stored and must be, is stored a moment later.
        clock.advance(1000);
      },
    ],
    [1, 'crash', crash],
  ];
  const total = steps.reduce((sum, [weight]) => sum + weight, 0);

  try {
    for (let step = 0; step < STEPS; step++) {
      let pick = random.below(total);
      const [, name, act] = steps.find(([weight]) => (pick -= weight) < 0)!;
      note(`${step} at ${clock.elapsed()}: ${name}`);
      await act();
      if (random.below(3) > 0) continue;
      await settle();
      check();
    }
    await settle();
    check();
  } finally {
    jobs.stop();
  }
}
