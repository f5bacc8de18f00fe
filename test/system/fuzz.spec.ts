/**
 * Whatever is sent to the job API and the worker protocol: never a 5xx, never a hang, and the engine goes on with its
 * books right.
 *
 * HANGAR_FUZZ_SECONDS makes it longer than in a test run; HANGAR_TEST_SEED makes it another run, or the one that failed
 * again.
 */
import { request, type ClientRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthSchema, type JobStatus } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { startClockedEngine, type ClockedEngine } from '../support/engine/clockedEngine.ts';
import { testSeed } from '../support/core/random.ts';
import { settles } from '../support/core/until.ts';
import { fuzzBytes, fuzzRequest, type FuzzRequest } from '../support/http/fuzzRequests.ts';
import { openSocket } from '../support/http/rawSocket.ts';
import { accepted, makeIdleEndpoint } from '../support/resources/resources.ts';

const seconds = Number(process.env.HANGAR_FUZZ_SECONDS ?? 5);
/** Runs of one seed; the next ones have the next. */
const RUNS = 20;

/**
 * Tries the property with one seed after the other. What fails is told with its seed, and by HANGAR_TEST_SEED it fails
 * again.
 */
async function forShare<T>(share: number, property: fc.IAsyncProperty<T>): Promise<void> {
  const until = performance.now() + seconds * 1000 * share;
  for (let next = testSeed; performance.now() < until; next++)
    await fc.assert(property, { seed: next, numRuns: RUNS, endOnFailure: true });
}

const timeout = (seconds + 600) * 1000;
/**
 * Virtual time in which every request has to be answered: none is held for longer than 300 s, but for those of OpenAI
 * clients…
 */
const STEPS = 12;
const STEP_MS = 30_000;
/** …which are answered when their job ends, with its ttl at the latest. */
const TTL_MS = limits.ttlMs.default;

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
  const unlimited = { requests: 1_000_000, concurrent: 100_000 };
  const operations = ['run', 'runsync', 'status', 'stream', 'cancel', 'openai', 'requests', 'purge-queue'];
  const rates = { operations: Object.fromEntries(operations.map((name) => [name, unlimited])) };
  accepted(await engine.http.send('PATCH', '/local/v1/settings', { rates }));
});
afterAll(() => engine.close());

interface Told {
  status: number;
  text: string;
}

interface Sent {
  readonly path: string;
  readonly outgoing: ClientRequest;
  /** Null where the connection was ended: the engine does that when no sense can be made of what it got. */
  readonly answer: Promise<Told | null>;
}

/** Sends one request; null where this client cannot send such a thing at all. */
function send(path: string, { method, headers, body }: FuzzRequest): Sent | null {
  try {
    const all = { authorization: engine.key, ...headers };
    const outgoing = request(`${engine.address}/`, { method, path, agent: false, headers: all });
    const answer = new Promise<Told | null>((resolve) => {
      outgoing.on('error', () => resolve(null));
      outgoing.on('response', (incoming) => {
        const status = incoming.statusCode ?? 0;
        textOf(incoming).then(
          (text) => resolve({ status, text }),
          () => resolve(null),
        );
      });
    });
    outgoing.end(body);
    return { path, outgoing, answer };
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('ERR_') === true) return null;
    throw error;
  }
}

/**
 * An OpenAI client is told by a 5xx how its job ended, in the worker's words where there are any; never that something
 * broke.
 */
const isJobsEnd = (path: string, { text }: Told): boolean =>
  path.includes('/openai/') && !text.includes('Something went wrong inside');

const idsIn = (text: string): string[] => [...text.matchAll(/"id":"([\w-]+-l1)"/g)].map((match) => match[1] ?? '');

/**
 * A few jobs, some of them in the hands of the worker that most requests come from: what follows then finds something
 * to hit.
 */
async function begun(prefix: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let n = 0; n < 3; n++) {
    for (const id of idsIn((await engine.http.post(`${prefix}run`, { input: { n } })).text)) ids.add(id);
  }
  accepted(await engine.http.get(`${prefix}job-take-batch/w1-${prefix.split('/')[2]}?batch_size=2`));
  return ids;
}

/** Runs the requests, a few at a time and in their order; then lets time pass until all are answered. */
async function run(prefix: string, requests: readonly FuzzRequest[], ids: Set<string>): Promise<void> {
  const pending = new Set<Sent>();
  const faults: string[] = [];
  for (const each of requests) {
    const known = [...ids];
    const segments = each.segments.map((segment) => {
      if (typeof segment === 'string') return segment;
      // A worker belongs to one endpoint, and is remembered for longer than its endpoint lives here.
      if ('worker' in segment) return `w${segment.worker}-${prefix.split('/')[2]}`;
      return known[segment.job % Math.max(1, known.length)] ?? 'none';
    });
    const path = `${prefix}${[each.operation, ...segments].join('/')}?${each.query}`;
    const sent = send(path, each);
    if (!sent) continue;
    pending.add(sent);
    const answered = sent.answer.then((reply) => {
      pending.delete(sent);
      if (!reply) return;
      if ((reply.status >= 500 && !isJobsEnd(path, reply)) || reply.status < 200) {
        faults.push(`${each.method} ${path}: ${reply.status} ${reply.text.slice(0, 300)}`);
      }
      for (const id of idsIn(reply.text)) ids.add(id);
    });
    // Those that are answered at once are; those that wait are gone past.
    await Promise.race([answered, engine.http.get('/health')]);
  }
  for (let step = 0; pending.size > 0; step++) {
    const openai = [...pending].every(({ path }) => path.startsWith(`${prefix}openai/`));
    await engine.advance(step === STEPS && openai ? TTL_MS : STEP_MS);
    const answers = Promise.all([...pending].map(({ answer }) => answer));
    if (step < STEPS) await Promise.race([answers, engine.http.get('/health')]);
    else {
      // They are due. On a slow machine they may still be on their way.
      try {
        await settles('all answers', answers, () => [...pending].map(({ path }) => path));
      } finally {
        for (const { outgoing } of pending) outgoing.destroy();
      }
    }
  }
  expect(faults).toEqual([]);
}

/** The counters of health are those of the jobs; ended ones that are gone stay counted. */
async function checkBooks(prefix: string, ids: Set<string>): Promise<void> {
  const { jobs } = healthSchema.parse(accepted(await engine.http.get(`${prefix}health`)));
  const count: Partial<Record<JobStatus, number>> = {};
  for (const id of ids) {
    const answer = await engine.http.get(`${prefix}status/${id}`);
    if (answer.status === 404) continue;
    const { status } = accepted(answer) as { status: JobStatus };
    count[status] = (count[status] ?? 0) + 1;
  }
  expect(jobs.inQueue).toBe(count.IN_QUEUE ?? 0);
  expect(jobs.inProgress).toBe(count.IN_PROGRESS ?? 0);
  expect(jobs.completed).toBeGreaterThanOrEqual(count.COMPLETED ?? 0);
  expect(jobs.failed).toBeGreaterThanOrEqual((count.FAILED ?? 0) + (count.TIMED_OUT ?? 0));
}

test(
  'fuzz: requests of any kind in any order are answered in time, never with a 5xx, and the counters stay right',
  async () => {
    await forShare(
      0.7,
      fc.asyncProperty(fc.array(fuzzRequest, { minLength: 10, maxLength: 60, size: 'max' }), async (requests) => {
        const prefix = `/v2/${(await makeIdleEndpoint(engine)).id}/`;
        const ids = await begun(prefix);
        await run(prefix, requests, ids);
        await checkBooks(prefix, ids);
        await engine.http.send('DELETE', `/v1/endpoints/${prefix.split('/')[2]}`);
      }),
    );
  },
  timeout,
);

test(
  'fuzz: bytes that are hardly HTTP, cut off anywhere, are answered or the connection is ended; the engine goes on',
  async () => {
    const { id } = await makeIdleEndpoint(engine);
    const lead = `/v2/${id}/`;
    await forShare(
      0.3,
      fc.asyncProperty(fc.array(fuzzBytes(lead), { minLength: 1, maxLength: 8 }), fc.boolean(), async (all, hangUp) => {
        await Promise.all(
          all.map(async (bytes) => {
            using raw = await openSocket(engine.port);
            raw.send(bytes.replace('\r\n', `\r\nauthorization: ${engine.key}\r\n`));
            if (hangUp) return;
            // Its own side is ended: whatever the engine waits for does not come any more.
            raw.socket.end();
            const answer = await raw.closed();
            expect(answer).not.toMatch(/^HTTP\/1\.1 5(?!05)/m);
          }),
        );
        expect((await engine.http.get(`${lead}health`)).status).toBe(200);
      }),
    );
  },
  timeout,
);

test('the engine that was fuzzed has nothing to say on standard error but what it refused to do', () => {
  expect(engine.stderr).not.toMatch(/a request failed|uncaught|unhandled|at .*\(.*:\d+:\d+\)/i);
});
