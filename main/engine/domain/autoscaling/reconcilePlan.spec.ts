/** The plan for workers: how many start, which stop, and when to plan again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Demand } from './demand.ts';
import { planWorkers, type PlannedWorker, type PlanState } from './reconcilePlan.ts';

const settings = {
  workersMin: 0,
  workersMax: 3,
  scalerType: 'QUEUE_DELAY' as const,
  scalerValue: 4,
  idleTimeout: 5,
};
const none: Demand = { queued: 0, oldestWaitMs: 0, inProgress: 0, lowInProgress: 0 };
const idle: PlannedWorker = { leaving: false, ready: true, begun: true, busy: false, outdated: false, idleMs: 0 };
const busy = { ...idle, busy: true };
const starting = { ...idle, ready: false, begun: false };
/** Its health check says 204 again. */
const notReadyAgain = { ...idle, ready: false };
const old = { ...idle, outdated: true };
const oldBusy = { ...old, busy: true };
const leaving = { ...busy, leaving: true };

function plan(workers: PlannedWorker[], over: Partial<PlanState<PlannedWorker>> & { set?: Partial<typeof settings> }) {
  const { set, ...rest } = over;
  return planWorkers({ endpoint: { ...settings, ...set }, demand: none, workers, crowded: false, ...rest });
}
const twoOldOnes = { set: { workersMin: 2 } };

test.each<[string, PlannedWorker[], Parameters<typeof plan>[1], Partial<ReturnType<typeof plan>>]>([
  ['nothing to do: nothing is done', [], {}, { start: 0, checkInMs: null }],
  ['the first job: one is started', [], { demand: { ...none, queued: 3 } }, { start: 1, checkInMs: 4000 }],
  ['one that starts is not started twice', [starting], { demand: { ...none, queued: 1 } }, { start: 0 }],
  ['an idle one is looked at when its time is up', [{ ...idle, idleMs: 2000 }], {}, { stop: [], checkInMs: 3000 }],
  ['the minimum is kept, without a look', [{ ...idle, idleMs: 9000 }], { set: { workersMin: 1 } }, { checkInMs: null }],
  ['one that still starts has not been idle', [{ ...starting, idleMs: 9000 }], {}, { stop: [], checkInMs: null }],
  [
    'one that is not ready any more goes once its time is up',
    [{ ...notReadyAgain, idleMs: 5000 }],
    {},
    { stop: [{ ...notReadyAgain, idleMs: 5000 }] },
  ],
  [
    'the maximum counts those that are leaving',
    [leaving],
    { demand: { ...none, queued: 1 }, set: { workersMax: 1 } },
    { start: 0 },
  ],
  ['an old one nobody needs goes at once', [old], {}, { stop: [old], start: 0 }],
  [
    'an old one that has not begun goes at once',
    [{ ...old, ready: false }],
    { demand: { ...none, queued: 1 } },
    { stop: [{ ...old, ready: false }], start: 1 },
  ],
  ['old ones stay until a new one is ready', [old, oldBusy], twoOldOnes, { start: 1, stop: [], retire: [] }],
  [
    'while it starts no further one is touched',
    [old, oldBusy, starting],
    twoOldOnes,
    { start: 0, stop: [], retire: [] },
  ],
  [
    'once it is ready an old one goes, an idle one first',
    [oldBusy, old, idle],
    twoOldOnes,
    { stop: [old], retire: [] },
  ],
  ['one with a job gets no more', [oldBusy, idle, idle], twoOldOnes, { stop: [], retire: [oldBusy] }],
  [
    'where there is no room an old one goes first',
    [oldBusy, old],
    { set: { workersMin: 2, workersMax: 2 } },
    { start: 0, stop: [old], retire: [] },
  ],
  [
    'one old worker is replaced at a time',
    [oldBusy, leaving],
    { set: { workersMin: 2, workersMax: 2 } },
    { start: 0, stop: [], retire: [] },
  ],
  [
    'an old worker goes first where a GPU is wanting',
    [old],
    { crowded: true, set: { workersMin: 1 } },
    { start: 0, stop: [old] },
  ],
  [
    'a lower maximum ends those that have not begun first',
    [busy, starting],
    { set: { workersMax: 1 } },
    { stop: [starting], retire: [] },
  ],
  ['a lower maximum lets jobs end', [busy, busy], { set: { workersMax: 1 } }, { stop: [], retire: [busy] }],
])('%s', (_rule, workers, over, expected) => {
  expect(plan(workers, over)).toMatchObject(expected);
});

test('of several idle ones those that have been idle longest go, and the minimum stays', () => {
  const [first, second, third] = [9000, 8000, 7000].map((idleMs) => ({ ...idle, idleMs }));
  expect(plan([third!, first!, second!], { set: { workersMin: 1 } }).stop).toEqual([first, second]);
});

test('an idle worker goes once its time is up, never below the minimum, and the look that is told is no later than that', () => {
  const states = fc.array(
    fc.record({ begun: fc.boolean(), ready: fc.boolean(), busy: fc.boolean(), idleMs: fc.nat(12_000) }),
    {
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(states, fc.nat(4), fc.integer({ min: 1, max: 9 }), (all, workersMin, idleTimeout) => {
      const set = { workersMin, workersMax: 9, idleTimeout };
      const workers = all.map((state) => {
        const begun = state.begun || state.busy;
        return { ...idle, ...state, begun, ready: begun && (state.ready || state.busy) };
      });
      const { stop, retire, checkInMs: lookInMs } = plan(workers, { set });
      expect(retire).toEqual([]);
      expect(stop.every((one) => one.begun && !one.busy && one.idleMs >= idleTimeout * 1000)).toBe(true);
      const stay = workers.filter((one) => !stop.includes(one));
      expect(stay.length).toBeGreaterThanOrEqual(Math.min(workersMin, workers.length));
      const idleOnes = stay.filter((one) => one.begun && !one.busy);
      if (stay.length <= workersMin || idleOnes.length === 0) expect(lookInMs).toBeNull();
      else {
        const nextMs = Math.min(...idleOnes.map(({ idleMs }) => idleTimeout * 1000 - idleMs));
        expect(nextMs, 'whose time is up has gone').toBeGreaterThan(0);
        expect(lookInMs).toBe(nextMs);
      }
    }),
  );
});

/** A worker of the simulation below; what the plan says is done to it. */
interface Simulated extends PlannedWorker {
  leaving: boolean;
  ready: boolean;
  begun: boolean;
  busy: boolean;
  version: number;
  outdated: boolean;
}

const steps = fc.array(
  fc.record({
    what: fc.constantFrom('ready', 'end', 'take', 'finish', 'bump', 'wait'),
    who: fc.nat(7),
    queued: fc.nat(5),
    waited: fc.nat(20_000),
  }),
  { minLength: 1, maxLength: 60 },
);
const sizes = fc.record({ workersMin: fc.nat(3), more: fc.integer({ min: 1, max: 4 }) });

test('however workers live, there are never more than workersMax, one that is ready is there where work needs it, and a roll ends', () => {
  fc.assert(
    fc.property(sizes, steps, ({ workersMin, more }, happenings) => {
      const endpoint = { ...settings, workersMin, workersMax: workersMin + more };
      let workers: Simulated[] = [];
      let version = 1;
      const act = (demand: Demand): void => {
        for (const worker of workers) worker.outdated = worker.version !== version;
        const readyBefore = workers.filter((one) => one.ready && !one.leaving).length;
        const { start, stop, retire } = planWorkers({ endpoint, demand, workers, crowded: false });
        for (const worker of [...stop, ...retire]) worker.leaving = true;
        expect(stop.every((worker) => !worker.busy)).toBe(true);
        for (let n = 0; n < start; n++) {
          workers.push({
            leaving: false,
            ready: false,
            begun: false,
            busy: false,
            version,
            outdated: false,
            idleMs: 0,
          });
        }
        expect(workers.length).toBeLessThanOrEqual(endpoint.workersMax);
        const readyAfter = workers.filter((one) => one.ready && !one.leaving).length;
        const full = workers.length >= endpoint.workersMax;
        // With room for one more, nobody who is needed goes before another is ready.
        if (!full) expect(readyAfter).toBeGreaterThanOrEqual(Math.min(readyBefore, workersMin));
      };
      for (const { what, who, queued, waited } of happenings) {
        const worker = workers[who % Math.max(1, workers.length)];
        if (what === 'bump') version++;
        if (worker) {
          if (what === 'ready') worker.ready = worker.begun = true;
          if (what === 'take' && worker.ready && !worker.leaving) worker.busy = true;
          if (what === 'finish') worker.busy = false;
          if (what === 'end' && worker.leaving && !worker.busy) workers = workers.filter((one) => one !== worker);
        }
        act({ queued, oldestWaitMs: waited, inProgress: 0, lowInProgress: 0 });
      }
      // Everything comes to its end: jobs are done, workers become ready, and who is to go goes.
      for (let round = 0; round < 40; round++) {
        for (const worker of workers) Object.assign(worker, { ready: true, begun: true, busy: false });
        workers = workers.filter((worker) => !worker.leaving);
        act(none);
      }
      expect(workers.filter((worker) => worker.outdated)).toEqual([]);
      expect(workers.filter((worker) => !worker.leaving).length).toBeGreaterThanOrEqual(workersMin);
    }),
    { numRuns: 300 },
  );
});
