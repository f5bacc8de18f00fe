/** Which worker of a load-balancing endpoint gets a request, how long requests wait, and which errors they get. */
import { beforeEach, expect, test } from 'vitest';
import { createFakeClock, silentLogger, type FakeClock } from '../../../../test/support/core/fakes.ts';
import type { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { createBalancer, type Balancer } from './balancer.ts';
import type { Lease } from './member.ts';
import { affinityOf } from './affinity.ts';
import type { HealthAnswer } from './ports.ts';
import type { WorkerProcess, WorkerTemplate } from '../autoscaling/ports.ts';
import { createWorkerRegistry, type Worker, type WorkerRegistry } from '../jobs/workers/registry.ts';

const MINUTE_MS = 60_000;
const SETTLED_MS = 1000;
const nothing = (): void => undefined;
const template = { env: { PORT: '8000', PORT_HEALTH: '8001' } } as unknown as WorkerTemplate;

let clock: FakeClock;
let workers: WorkerRegistry;
let balancer: Balancer;
let unhealthy: string[];
let pokes: number;
let trouble: string | null;
let workersMax: number;
/** The answers of the health checks, by the host of the worker. */
let health: Map<string, HealthAnswer>;

beforeEach(() => {
  clock = createFakeClock();
  workers = createWorkerRegistry({ clock, onSilent: nothing, onStopOverdue: nothing });
  [unhealthy, pokes, trouble, workersMax, health] = [[], 0, null, 0, new Map()];
  balancer = createBalancer({
    clock,
    logger: silentLogger,
    probe: {
      ask({ host }, _withinMs, done) {
        return clock.after(1, () => done(health.get(host) ?? answers(200)));
      },
    },
    scalerValue: () => 2,
    workersMax: () => workersMax,
    onDemand: () => pokes++,
    onUnhealthy: (id, reason) => unhealthy.push(`${id}: ${reason}`),
    trouble: () => trouble,
  });
});

const answers = (status: number): HealthAnswer => ({ status, error: null, silent: false });
const silent: HealthAnswer = { status: null, error: 'no answer within 3 s', silent: true };

function start(id: string, first: HealthAnswer = answers(200)): Worker {
  const worker = workers.addOwn(id, 'e');
  health.set(id, first);
  const process: WorkerProcess = {
    pid: 1,
    exited: new Promise(nothing),
    stop: () => Promise.resolve(),
    reach: (port) => ({ host: id, port }),
  };
  balancer.started(worker, process, template);
  clock.advance(1);
  return worker;
}

interface Asked {
  lease: Lease | null;
  error: AppError | null;
  leave(): void;
}

function ask(header?: string): Asked {
  const caller: Asked = { lease: null, error: null, leave: nothing };
  caller.leave = balancer.ask('e', affinityOf(header), (error, lease) => {
    if (error) caller.error = error;
    else caller.lease = lease;
  });
  return caller;
}

test('a request has a ready worker at once, at the port of its server', () => {
  start('a');
  expect(ask().lease).toMatchObject({ workerId: 'a', host: 'a', port: 8000 });
});

test('a request that finds none has the first that becomes ready', () => {
  const first = ask();
  const second = ask();
  start('a', answers(204));
  expect(first.lease).toBeNull();
  health.set('a', answers(200));
  clock.advance(MINUTE_MS);
  expect([first.lease?.workerId, second.lease?.workerId]).toEqual(['a', 'a']);
});

test('without a worker for 2 minutes a request is refused with the reason, and not a moment before', () => {
  trouble = 'The image cannot be pulled.';
  const caller = ask();
  clock.advance(2 * MINUTE_MS - 1);
  expect(caller.error).toBeNull();
  clock.advance(1);
  expect(caller.error).toMatchObject({ code: 'BAD_REQUEST' });
  expect(caller.error?.message).toMatch(/^Timed out waiting for a worker: .* 2 min.*The image cannot be pulled\./);
});

test('the refusal names what the health check of a worker found', () => {
  const caller = ask();
  start('a', answers(503));
  clock.advance(2 * MINUTE_MS);
  expect(caller.error?.message).toContain('GET /ping on port 8001 answers 503');
});

test('who goes away while waiting is given nothing, and calls for no worker any more', () => {
  const caller = ask();
  expect(balancer.demand('e')).toMatchObject({ queued: 1 });
  caller.leave();
  start('a');
  clock.advance(2 * MINUTE_MS);
  expect(caller).toMatchObject({ lease: null, error: null });
  expect(balancer.demand('e')).toMatchObject({ queued: 0, inProgress: 0 });
});

test('the least busy worker gets the next request, and of those the one that has waited longest', () => {
  for (const id of ['a', 'b']) start(id);
  const first = ask();
  expect([first, ask(), ask(), ask()].map(({ lease }) => lease?.workerId)).toEqual(['a', 'b', 'a', 'b']);
  first.lease?.release(true);
  expect(ask().lease?.workerId).toBe('a');
});

test('a worker that is to go, or is starting again, gets nothing new', () => {
  const a = start('a');
  start('b');
  balancer.retire(a);
  expect([ask().lease?.workerId, ask().lease?.workerId]).toEqual(['b', 'b']);
  health.set('b', answers(204));
  clock.advance(10_000);
  expect(ask().lease).toBeNull();
});

test('a wish for a worker is kept where it can be, and otherwise goes to another one', () => {
  start('a');
  const b = start('b');
  expect([ask('b').lease?.workerId, ask('b').lease?.workerId]).toEqual(['b', 'b']);
  balancer.ended(b, 'it ended');
  expect(ask('b').lease?.workerId).toBe('a');
});

test.each(['strict b', 'strict-resume b'])(
  '"%s" waits up to 5 minutes for that worker and goes to no other',
  (wish) => {
    start('a');
    start('b', answers(204));
    const caller = ask(wish);
    clock.advance(5 * MINUTE_MS - 1);
    expect(caller).toMatchObject({ lease: null, error: null });
    // Another worker would not help.
    expect(balancer.demand('e')).toMatchObject({ queued: 0 });
    clock.advance(1);
    expect(caller.error).toMatchObject({ code: 'BAD_REQUEST' });
    expect(caller.error?.message).toContain('Timed out waiting for a worker');
  },
);

test('who insists on a worker that is gone, or goes meanwhile, is told so: affinity_worker_gone', () => {
  const a = start('a', answers(204));
  const waiting = ask('strict a');
  balancer.ended(a, 'it ended');
  for (const { error } of [waiting, ask('strict a')]) {
    expect(error).toMatchObject({ code: 'NOT_FOUND' });
    expect(error?.message).toContain('affinity_worker_gone');
  }
});

test('a worker that ends loses its requests with the reason, each once', () => {
  const a = start('a');
  const { lease } = ask();
  const lost: string[] = [];
  lease!.onLost = (how) => lost.push(how);
  balancer.ended(a, 'exit code 7');
  lease!.release(false);
  expect(lost).toEqual(['exit code 7']);
  expect(balancer.demand('e').inProgress).toBe(0);
});

test('requests beyond what the ready workers are meant for wait, as far as scaling goes', () => {
  start('a');
  const caller = Array.from({ length: 5 }, () => ask());
  expect(caller.every(({ lease }) => lease !== null)).toBe(true);
  expect(balancer.demand('e')).toMatchObject({ queued: 3, inProgress: 2 });
});

test('requests that the ready workers are too busy for go to one that comes, and not all to the one that is there', () => {
  workersMax = 2;
  start('a');
  const caller = Array.from({ length: 6 }, () => ask());
  const takenBy = () => caller.map(({ lease }) => lease?.workerId ?? null);
  expect(takenBy()).toEqual(['a', 'a', null, null, null, null]);
  expect(balancer.demand('e')).toMatchObject({ queued: 4, inProgress: 2 });
  start('b');
  expect(takenBy()).toEqual(['a', 'a', 'b', 'b', 'a', 'b']);
});

test('a request that waits for a worker with less to do has one as soon as another request is over', () => {
  workersMax = 2;
  start('a');
  const [first] = [ask(), ask()];
  const third = ask();
  expect(third.lease).toBeNull();
  first.lease!.release(true);
  expect(third.lease).toMatchObject({ workerId: 'a' });
});

test('a request waits no longer than a moment for a worker with less to do, and not at all where none can come', () => {
  workersMax = 2;
  start('a');
  const early = [ask(), ask(), ask()];
  clock.advance(limits.balancing.shareWaitMs - 1);
  expect(early[2]!.lease).toBeNull();
  clock.advance(1);
  expect(early[2]!.lease).toMatchObject({ workerId: 'a' });
  trouble = 'The image cannot be pulled.';
  expect(ask().lease).toMatchObject({ workerId: 'a' });
});

test('a worker that could not be reached is given nothing until its health check answers, which is asked at once', () => {
  start('a');
  start('b');
  const { lease } = ask();
  expect(lease).toMatchObject({ workerId: 'a' });
  lease!.release(false);
  lease!.unreachable();
  expect([ask(), ask()].map((caller) => caller.lease?.workerId)).toEqual(['b', 'b']);
  clock.advance(1);
  expect(ask().lease).toMatchObject({ workerId: 'a' });
});

test('a worker that says 204 again has begun, and has had nothing to do since then', () => {
  const a = start('a');
  expect(balancer.load(a)).toMatchObject({ ready: true, begun: true });
  health.set('a', answers(204));
  clock.advance(MINUTE_MS);
  const saidSo = balancer.load(a).lastBusyElapsed;
  expect(balancer.load(a)).toMatchObject({ ready: false, begun: true });
  clock.advance(MINUTE_MS);
  expect(balancer.load(a).lastBusyElapsed).toBe(saidSo);
});

test('more requests than ever are told at once; fewer only once they stay so', () => {
  start('a');
  pokes = 0;
  const { lease } = ask();
  expect(pokes).toBe(1);
  lease!.release(true);
  lease!.release(true);
  ask().lease!.release(true);
  expect(pokes).toBe(1);
  clock.advance(SETTLED_MS);
  expect(pokes).toBe(2);
});

test('a ready worker is replaced when three checks in a row fail, and given nothing from then on', () => {
  start('a');
  health.set('a', answers(500));
  clock.advance(14_000);
  expect(unhealthy).toEqual([]);
  clock.advance(5000);
  expect(unhealthy).toEqual([expect.stringContaining('3 health checks in a row failed') as string]);
  expect(ask().lease).toBeNull();
});

test('a worker that does not answer its check because it is at a request is left alone', () => {
  start('a');
  const { lease } = ask();
  health.set('a', silent);
  clock.advance(10 * MINUTE_MS);
  expect(unhealthy).toEqual([]);
  lease!.release(true);
  clock.advance(MINUTE_MS);
  expect(unhealthy).toHaveLength(1);
});

test('a worker that says neither 200 nor 204 for 8 minutes is replaced; one that says 204 may take as long as it likes', () => {
  start('a', answers(204));
  start('b', { status: null, error: 'nothing listens there', silent: false });
  clock.advance(8 * MINUTE_MS);
  expect(unhealthy).toEqual([]);
  clock.advance(2000);
  expect(unhealthy).toEqual([expect.stringMatching(/^b: not ready within 8 min;.*nothing listens there/) as string]);
  clock.advance(60 * MINUTE_MS);
  expect(unhealthy).toHaveLength(1);
});

test('a deleted endpoint lets nobody wait, and nothing is left when the engine stops', () => {
  const waiting = ask();
  balancer.removeEndpoint('e');
  expect(waiting.error).toMatchObject({ code: 'NOT_FOUND' });
  start('a', answers(204));
  const late = ask();
  balancer.stop();
  expect(late.error).toMatchObject({ code: 'UNAVAILABLE' });
  expect(clock.pending()).toBe(0);
});
