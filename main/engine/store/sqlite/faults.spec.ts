/**
 * The rules together with the store, on a disk that fails at each statement of a scenario, one run for each.
 * Acknowledged changes last, no change is partial, and the memory matches the rows.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isTerminal, type JobStatus } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { SQLITE, type Disk, type Fault } from '../../../../test/support/disk/failingStatements.ts';
import { jobsOnDisk, type World } from '../../../../test/support/disk/jobsOnDisk.ts';
import { createFakeClock } from '../../../../test/support/core/fakes.ts';
import { isFullTier } from '../../../../test/support/core/random.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';

const ENDPOINT = 'ep';
const clock = createFakeClock();
const open = jobsOnDisk(clock);

interface Fact {
  body: string;
  /** The known status of the job: acknowledged, with no unacknowledged request after it. */
  end: { status: JobStatus; output: string | null } | null;
  /** Whether a later request was not acknowledged: it may have taken effect or not. */
  open: boolean;
  mayBeGone: boolean;
}

/** The answers that callers got. */
function createFacts() {
  const facts = new Map<string, Fact>();
  return {
    facts,
    accepted: (id: string, body: string) => void facts.set(id, { body, end: null, open: false, mayBeGone: false }),
    /** Sends a request about a job; `end` is the status of the job after the acknowledgement. */
    ask(id: string, end: Fact['end'], act: (settled: (error: unknown) => void) => void, world: World): void {
      const fact = facts.get(id);
      // No caller knows this job yet, so it may be lost.
      if (!fact) return act(() => undefined);
      const before = fact.end;
      Object.assign(fact, { open: true, end: null });
      act((error) => {
        if (!error) Object.assign(fact, { open: false, end });
        // Refused: the job is unchanged, unless the content of the disk is unknown.
        else if (!world.failed()) Object.assign(fact, { open: false, end: before });
      });
    },
  };
}
type Facts = ReturnType<typeof createFacts>;

type Step = (world: World, acknowledged: Facts, named: Map<string, string>) => void;

const idOf = (named: Map<string, string>, name: string): string => named.get(name) ?? '';
const submit =
  (name: string, { sync = false, terms = {} }: { sync?: boolean; terms?: Record<string, number> } = {}): Step =>
  ({ jobs }, acknowledged, named) => {
    const body = `{"input":{"name":"${name}"}}`;
    const request = { input: {}, policy: terms };
    const retentionMs = limits.retentionMs.run;
    jobs.submit({ endpointId: ENDPOINT, request, body, sync, retentionMs }, (error, job) => {
      if (!error) acknowledged.accepted(job.id, body);
    });
    for (const { id } of jobs.recent(ENDPOINT)) return void named.set(name, id);
  };
const park =
  (workerId: string, own = false, max = 1): Step =>
  ({ jobs }) => {
    const worker = own
      ? (jobs.workers.get(workerId) ?? jobs.workers.addOwn(workerId, ENDPOINT))
      : jobs.workers.touch(workerId, ENDPOINT);
    jobs.take(worker, max, (taken) => {
      for (const job of taken) {
        try {
          jobs.workerText(job);
        } catch {
          // Like the service: a job with an unreadable text is not handed out.
          const result = { progress: false, output: null, error: 'no text', stopWorker: false };
          jobs.result(job, workerId, result, () => undefined);
        }
      }
    });
  };
/** The current worker of the job. Skips the step when no worker has it. */
const byWorker =
  (name: string, act: (world: World, job: Job, workerId: string, acknowledged: Facts) => void): Step =>
  (world, acknowledged, named) => {
    const job = world.jobs.get(idOf(named, name));
    if (job?.status === 'IN_PROGRESS' && job.workerId !== null) act(world, job, job.workerId, acknowledged);
  };
const done = (name: string, { fails = false } = {}): Step =>
  byWorker(name, (world, job, workerId, acknowledged) => {
    const output = fails ? null : `{"of":"${name}"}`;
    const result = { progress: false, output, error: fails ? 'no' : null, stopWorker: false };
    acknowledged.ask(
      job.id,
      { status: fails ? 'FAILED' : 'COMPLETED', output },
      (settled) => world.jobs.result(job, workerId, result, settled),
      world,
    );
  });
const chunks = (name: string): Step =>
  byWorker(name, ({ jobs }, job, workerId) =>
    jobs.append(job, workerId, ['{"output":1}', '{"output":2}'], () => undefined),
  );
const progress = (name: string): Step =>
  byWorker(name, ({ jobs }, job, workerId) =>
    jobs.result(job, workerId, { progress: true, output: '0.5', error: null, stopWorker: false }, () => undefined),
  );
const onJob =
  (name: string, act: (world: World, job: Job, acknowledged: Facts) => void): Step =>
  (world, acknowledged, named) => {
    const job = world.jobs.get(idOf(named, name));
    if (job) act(world, job, acknowledged);
  };
const cancel = (name: string): Step =>
  onJob(name, (world, job, acknowledged) => {
    if (!isTerminal(job.status)) {
      acknowledged.ask(
        job.id,
        { status: 'CANCELLED', output: null },
        (settled) => world.jobs.cancel(job, settled),
        world,
      );
    }
  });
const retry = (name: string): Step =>
  onJob(name, (world, job, acknowledged) => {
    if (job.status === 'FAILED') acknowledged.ask(job.id, null, (settled) => world.jobs.retry(job, settled), world);
  });
const setTtl = (name: string, ttlMs: number): Step =>
  onJob(name, (world, job, acknowledged) => {
    Object.assign(acknowledged.facts.get(job.id) ?? {}, { mayBeGone: true });
    acknowledged.ask(job.id, null, (settled) => world.jobs.setTtl(job, ttlMs, settled), world);
  });
const read = (name: string): Step => onJob(name, ({ jobs }, job) => void jobs.read(job));
const status = (name: string): Step => onJob(name, ({ jobs }, job) => void jobs.output(job));
const loseWorker =
  (workerId: string): Step =>
  ({ jobs }) => {
    const worker = jobs.workers.get(workerId);
    if (worker) jobs.workerGone(worker, 'it was unplugged', 'worker');
  };
const purge: Step = (world, acknowledged) => {
  const waiting = [...acknowledged.facts].filter(([id]) => world.jobs.get(id)?.status === 'IN_QUEUE');
  for (const [, fact] of waiting) fact.open = true;
  world.jobs.purge(ENDPOINT, (error) => {
    for (const [, fact] of waiting) {
      if (!error) fact.end = { status: 'CANCELLED', output: null };
      if (!error || !world.failed()) fact.open = false;
    }
  });
};
const pass =
  (ms: number): Step =>
  (_world, acknowledged) => {
    for (const fact of acknowledged.facts.values()) {
      if (!fact.end || ms >= limits.retentionMs.run) fact.open = true;
      if (ms >= limits.retentionMs.run) fact.mayBeGone = true;
    }
    clock.advance(ms);
  };

const steps: readonly Step[][] = [
  [submit('a'), submit('b'), submit('c')],
  [park('w1')],
  [progress('a'), chunks('a')],
  [read('a'), chunks('a')],
  [done('a')],
  [status('a'), cancel('b')],
  [park('o1', true)],
  [progress('c'), chunks('c')],
  [read('c')],
  [done('c', { fails: true })],
  [retry('c')],
  [park('w1')],
  [chunks('c'), done('c')],
  [park('o1', true)],
  [submit('d', { sync: true }), chunks('d'), done('d')],
  [park('w2'), submit('e')],
  [loseWorker('w2')],
  [park('w1')],
  [cancel('e'), submit('f'), submit('g')],
  [purge],
  [submit('h', { terms: { executionTimeout: limits.executionTimeoutMs.min } }), park('w1')],
  [chunks('h'), pass(limits.executionTimeoutMs.min + 2000)],
  [retry('h'), submit('i')],
  [setTtl('i', limits.ttlMs.min)],
  [pass(limits.ttlMs.min + 2000)],
  [submit('j'), park('w3')],
  [done('j')],
];
const afterwards: readonly Step[][] = [[submit('last')], [park('w9', false, 100)], [done('last')]];
const atTheEnd: readonly Step[][] = [[pass(limits.retentionMs.run + 2000)], [submit('z')]];

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

async function run(
  world: World,
  list: readonly Step[][],
  acknowledged: Facts,
  named: Map<string, string>,
  disk: Disk,
): Promise<void> {
  let fullSince: number | null = null;
  for (const [index, group] of list.entries()) {
    const { fault } = disk;
    if (fault?.lasts && disk.statements >= fault.at) fullSince ??= index;
    // A full disk stays full for two steps.
    if (fullSince !== null && index - fullSince === 2) disk.fault = null;
    if (!disk.fault?.lasts || fullSince === null) world.makeRoom();
    for (const step of group) {
      try {
        step(world, acknowledged, named);
      } catch {
        // The caller gets the error; a refused step counts as not acknowledged.
      }
      if (world.failed()) return;
    }
    world.flush();
    if (world.failed()) return;
    // Work that was delayed to the end of the turn runs and is stored.
    await turn();
    world.flush();
    if (world.failed()) return;
  }
}

function checkFacts({ jobs }: World, { facts }: Facts): void {
  for (const [id, { body, end, open: unsure, mayBeGone }] of facts) {
    const job = jobs.get(id);
    if (!job) {
      expect(mayBeGone, `the acknowledged job ${body} is gone`).toBe(true);
      continue;
    }
    if (!isTerminal(job.status)) expect(jobs.workerText(job), body).toContain(body.slice(0, -1));
    if (end === null || unsure) continue;
    expect({ status: job.status, output: jobs.output(job) }, body).toEqual(end);
  }
}

function checkRows({ jobs, database }: World): void {
  const count = (sql: string): number => Number(database.prepare(sql).get()!.n);
  expect(count('SELECT count(*) AS n FROM job WHERE seq NOT IN (SELECT seq FROM body)'), 'bodies').toBe(0);
  expect(count('SELECT count(*) AS n FROM body WHERE seq NOT IN (SELECT seq FROM job)'), 'bodies left').toBe(0);
  expect(count('SELECT count(*) AS n FROM output WHERE seq NOT IN (SELECT seq FROM job)'), 'outputs left').toBe(0);
  expect(
    count('SELECT count(*) AS n FROM job WHERE has_output <> (seq IN (SELECT seq FROM output))'),
    'outputs with their jobs',
  ).toBe(0);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  const tally = { queued: 0, running: 0 };
  const ids = database
    .prepare('SELECT id FROM job')
    .all()
    .map(({ id }) => String(id));
  expect([...jobs.recent(ENDPOINT)].map(({ id }) => id).sort(), 'jobs in memory and rows').toEqual(ids.sort());
  for (const row of database.prepare('SELECT * FROM job').all()) {
    const job = jobs.get(String(row.id));
    expect(job, `row ${String(row.id)} in memory`).toBeDefined();
    expect(
      {
        status: ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'][Number(row.status)],
        ttl: row.ttl,
        worker: row.worker,
        startedAt: row.started_at,
        finishedAt: row.finished_at,
        error: row.error,
        hasOutput: row.has_output === 1,
        retries: row.retries,
        lost: row.lost,
      },
      `row ${String(row.id)} and memory`,
    ).toEqual({
      status: job!.status,
      ttl: job!.ttlMs,
      worker: job!.workerId,
      startedAt: job!.startedAt,
      finishedAt: job!.finishedAt,
      error: job!.error,
      hasOutput: job!.hasOutput,
      retries: job!.retries,
      lost: job!.lost,
    });
    if (job!.status === 'IN_QUEUE') tally.queued++;
    if (job!.status === 'IN_PROGRESS') tally.running++;
  }
  const { inQueue, inProgress } = jobs.queueOf(ENDPOINT).counters;
  expect({ queued: inQueue, running: inProgress }, 'counters').toEqual(tally);
}

/** Runs the scenario with one fault, and once more after a restart. Returns the number of its statements. */
async function runWith(fault: Fault | null): Promise<number> {
  // In memory where the system has such a folder, because the test creates hundreds of files.
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'hangar-faults-'));
  const acknowledged = createFacts();
  const named = new Map<string, string>();
  const disk: Disk = { statements: 0, fault: null };
  let world = open(dir, disk);
  try {
    disk.statements = 0;
    disk.fault = fault;
    await run(world, [...steps, ...atTheEnd], acknowledged, named, disk);
    const { statements } = disk;
    disk.fault = null;
    for (const goesOn of [false, true]) {
      if (world.failed() || goesOn) {
        await turn();
        world.end();
        world = open(dir, null);
      }
      checkFacts(world, acknowledged);
      await run(world, afterwards, acknowledged, named, disk);
      checkFacts(world, acknowledged);
      checkRows(world);
      const left = world.database.prepare('SELECT count(*) AS n FROM chunk WHERE seq NOT IN (SELECT seq FROM job)');
      if (goesOn) expect(left.get(), 'chunks left').toEqual({ n: 0 });
      expect(world.jobs.get(idOf(named, 'last'))?.status, 'it goes on working').toBe('COMPLETED');
    }
    return statements;
  } finally {
    await turn();
    world.end();
    rmSync(dir, { recursive: true });
  }
}

/** The run of everything fails each statement; `npm test` fails every third one. */
const STEP = isFullTier ? 1 : 3;

describe('fault 10: an I/O error at the n-th statement', async () => {
  const statements = await runWith(null);

  test('the scenario is one of many statements', () => {
    expect(statements).toBeGreaterThan(150);
  });

  test.each([
    ['the disk cannot be read or written', SQLITE.IOERR, 'before'],
    ['the disk says that it failed to write what it has written', SQLITE.IOERR, 'after'],
    ['the file is damaged', SQLITE.CORRUPT, 'before'],
    ['the disk is full for a moment', SQLITE.FULL, 'before'],
    ['the disk is full for a while', SQLITE.FULL, 'before', true],
    ['the file is locked', SQLITE.BUSY, 'before'],
  ] as [string, number, Fault['when'], boolean?][])(
    '%s: nothing acknowledged is lost, nothing is half, memory is as the rows',
    async (_what, code, when, lasts: boolean = false) => {
      const failures: string[] = [];
      for (let at = 1; at <= statements; at += STEP) {
        try {
          await runWith({ at, code, when, lasts });
        } catch (error) {
          failures.push(`at statement ${at}: ${(error as Error).message}`);
        }
      }
      expect(failures).toEqual([]);
    },
  );
});
