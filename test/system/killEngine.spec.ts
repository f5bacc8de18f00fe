import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { isTerminal, jobAcceptedSchema, jobViewSchema, type JobView } from '#contract/api/job.ts';
import { setAsideSchema } from '#contract/local/machine.ts';
import { startEngine, type TestEngine } from '../support/engine/engine.ts';
import type { Answer } from '../support/http/client.ts';
import { jobsOf } from '../support/jobs/jobs.ts';
import { createOutsideWorker } from '../support/workers/outsideWorker.ts';
import type { Random } from '../support/core/random.ts';
import { randomOfTest } from '../support/core/randomOfTest.ts';
import { accepted, makeEndpoint } from '../support/resources/resources.ts';
import { raiseRates } from '../support/engine/settings.ts';
import { until } from '../support/core/until.ts';

/** HANGAR_TEST_KILLS=1000 runs it at length. */
const KILLS = Number(process.env['HANGAR_TEST_KILLS'] ?? 6);
const JOBS = KILLS * 25;
const SUBMITTERS = 8;
/** A kill comes this long after the engine was ready, at the latest. */
const KILL_WITHIN_MS = 300;

/** Takes a few milliseconds, notes each run in a file, and returns a value that no other run returns. */
const handler = `
  import { appendFileSync } from 'node:fs';
  import { randomUUID } from 'node:crypto';
  import { setTimeout as pause } from 'node:timers/promises';
  const runs = new URL('./runs', import.meta.url);
  export default async (job) => {
    const run = randomUUID();
    await pause(job.input.takesMs);
    appendFileSync(runs, JSON.stringify({ id: job.id, run }) + '\\n');
    return { n: job.input.n, run };
  };`;

const outputSchema = z.object({ n: z.int(), run: z.string() });

/** Submits jobs until `JOBS` were acknowledged, whatever happens to the engine meanwhile. */
interface Submitting {
  /** Acknowledged id → the number in its input. */
  readonly acknowledged: Map<string, number>;
  /** Lets submitters go on up to this many acknowledged jobs. */
  allow(count: number): void;
  readonly finished: Promise<void>;
}

function submitJobs(engine: TestEngine, endpointId: string, random: Random): Submitting {
  const acknowledged = new Map<string, number>();
  let allowed = 0;
  let sent = 0;
  let inFlight = 0;

  async function submitOne(): Promise<void> {
    const n = sent++;
    const body = { input: { n, takesMs: random.below(12) } };
    let answer: Answer;
    try {
      answer = await engine.http.post(`/v2/${endpointId}/run`, body);
    } catch {
      // The engine was killed before it answered: nothing was promised, and the job may or may not be there.
      return;
    }
    const { id } = jobAcceptedSchema.parse(accepted(answer));
    if (acknowledged.has(id)) throw new Error(`Two jobs were given the id ${id}`);
    acknowledged.set(id, n);
  }

  const finished = Promise.all(
    Array.from({ length: SUBMITTERS }, async () => {
      while (acknowledged.size < JOBS) {
        if (acknowledged.size + inFlight < allowed) {
          inFlight++;
          await submitOne();
          inFlight--;
        }
        await delay(random.below(8));
      }
    }),
  ).then(() => undefined);
  return {
    acknowledged,
    allow: (count) => {
      allowed = count;
    },
    finished,
  };
}

/**
 * Workers of somebody else, which outlive the engine: each posts its result again until it is answered. `accepted` are
 * the results that were accepted, by job.
 */
function workOutside(engine: TestEngine, endpointId: string) {
  const accepted = new Map<string, string>();
  let ending = false;

  async function work(): Promise<void> {
    const worker = createOutsideWorker(engine, endpointId);
    while (!ending) {
      // A job that is handed out and not received is given back when this worker does not name it in its pings.
      const job = await worker.take(AbortSignal.timeout(1000)).catch(() => null);
      await worker.ping().catch(() => null);
      if (!job) continue;
      const run = randomUUID();
      const { n } = z.object({ n: z.int() }).parse(job.input);
      const answer = await until('a result to be answered', () =>
        worker.done(job.id, { output: { n, run } }).catch(() => null),
      );
      if (answer.status === 200) accepted.set(job.id, run);
      else expect(answer.status, answer.text).toBe(409);
    }
  }

  const finished = Promise.all([work(), work()]);
  return {
    accepted,
    async end(): Promise<void> {
      ending = true;
      await finished;
    },
  };
}

/** Everything ever read about a job's end; a second, different end is what must never be seen. */
function createWitness(engine: TestEngine, endpointId: string) {
  const ends = new Map<string, JobView>();
  async function checkJobs(ids: Iterable<string>): Promise<void> {
    const idsOfRound = [...ids];
    await Promise.all(
      Array.from({ length: SUBMITTERS }, async () => {
        for (let id = idsOfRound.pop(); id !== undefined; id = idsOfRound.pop()) {
          const answer = await engine.http.get(`/v2/${endpointId}/status/${id}`);
          expect(answer.status, `acknowledged job ${id} must be there: ${answer.text}`).toBe(200);
          const view = jobViewSchema.parse(answer.json);
          expect(view.id).toBe(id);
          const end = ends.get(id);
          if (end) expect(view, 'a job that has ended must stay as it ended').toEqual(end);
          else if (isTerminal(view.status)) ends.set(id, view);
        }
      }),
    );
  }

  return {
    ends,
    look: checkJobs,
    /** Waits until one more job has ended. */
    async anotherEnds(open: () => string[]): Promise<void> {
      const endCount = ends.size;
      await until('another job to end', async () => {
        await checkJobs(open());
        return ends.size > endCount;
      });
    },
  };
}

/** Has whatever was running at two of these kills tried again, as a person would. */
async function releaseAll(engine: TestEngine): Promise<void> {
  const aside = z.array(setAsideSchema).parse(accepted(await engine.http.get('/local/v1/set-aside')));
  for (const { id } of aside) await engine.http.post(`/local/v1/jobs/${id}/release`);
}

test(
  'fault 7: an engine that is killed again and again under load loses no acknowledged job or result and ends none twice',
  { timeout: 60_000 * KILLS },
  async () => {
    const random = randomOfTest();
    await using engine = await startEngine();
    await raiseRates(engine);
    const { template, endpoint } = await makeEndpoint(
      engine,
      { 'handler.mjs': handler },
      { endpoint: { workersMax: 2, idleTimeout: 60 } },
    );
    // On a slow machine the outside workers may do all other jobs before a worker of the engine has started.
    const jobs = jobsOf(engine, endpoint.id);
    await jobs.finished(await jobs.run({ n: -1, takesMs: 0 }));
    const submitting = submitJobs(engine, endpoint.id, random);
    const outside = workOutside(engine, endpoint.id);
    const witness = createWitness(engine, endpoint.id);
    const open = () => [...submitting.acknowledged.keys()].filter((id) => !witness.ends.has(id));

    for (let kill = 1; kill <= KILLS; kill++) {
      submitting.allow(Math.ceil((kill * JOBS) / KILLS));
      // Every other kill comes while workers are surely at it, the others at any moment, start-up included.
      if (kill % 2 === 0) await witness.anotherEnds(open);
      await delay(random.below(KILL_WITHIN_MS));
      await engine.kill9();
      await engine.restart();
      await releaseAll(engine);
      await witness.look(open());
    }
    await submitting.finished;
    const { acknowledged } = submitting;
    expect(acknowledged.size).toBe(JOBS);

    await until('every job to end', async () => {
      await witness.look(open());
      return open().length === 0;
    });
    await outside.end();
    // The newest: of a long run the oldest are no longer kept.
    await witness.look([...acknowledged.keys()].slice(-2000));

    expect(new Set(witness.ends.keys())).toEqual(new Set(acknowledged.keys()));
    const runs = (await readFile(fileURLToPath(`${template.imageName}/runs`), 'utf8')).trim().split('\n');
    const ran = new Map<string, Set<string>>();
    for (const line of runs) {
      const { id, run } = z.object({ id: z.string(), run: z.string() }).parse(JSON.parse(line));
      ran.set(id, (ran.get(id) ?? new Set()).add(run));
    }
    const accountedRuns = new Set<string>();
    for (const [id, view] of witness.ends) {
      expect(view, id).toMatchObject({ status: 'COMPLETED' });
      const output = outputSchema.parse(view.output);
      expect(output.n, 'the output is that of its own input').toBe(acknowledged.get(id));
      const theirs = outside.accepted.get(id);
      if (theirs !== undefined) expect(output.run, 'a result that was accepted is the result').toBe(theirs);
      else
        expect(ran.get(id)?.has(output.run), 'the result is one a handler has returned for this very job').toBe(true);
      accountedRuns.add(output.run);
    }
    expect(accountedRuns.size, 'no run is the result of two jobs').toBe(JOBS);
    const again = [...witness.ends.values()].filter(({ retries }) => retries !== undefined).length;
    console.info(
      `${KILLS} kills: ${JOBS} acknowledged, ${outside.accepted.size} results from outside, ${again} run again, 0 lost`,
    );
  },
);
