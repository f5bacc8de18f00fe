/** Each reason why a job waits, and which one is reported where several apply. */
import { expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { waitingCodes } from '#contract/local/engine.ts';
import { deathText, explainWaiting, type Death, type WaitingFacts } from './queueDiagnosis.ts';

const calm: WaitingFacts = {
  lowPriority: false,
  ahead: 0,
  paused: null,
  crashes: null,
  workersMax: 3,
  scaler: { type: 'QUEUE_DELAY', value: 4 },
  workersCalledFor: true,
  starting: 0,
  preparing: null,
  idle: 0,
  busy: 0,
  startingSince: null,
  othersIdle: 0,
  othersBusy: 0,
  finishing: 0,
  trouble: null,
  nextTryAt: null,
};
const starting = { starting: 1, startingSince: 1_800_000_000_000 };
const low = { lowPriority: true, workersCalledFor: false };
const unable = { trouble: { kind: 'cannot-run', reason: 'There is no Python. Install it.' } } as const;
const noGpu = { trouble: { kind: 'no-gpu', reason: 'It waits for a free GPU' } } as const;
const died = (times: number, how: Partial<Death> = {}): Partial<WaitingFacts> => ({
  trouble: { kind: 'died', reason: 'exit code 1', times, onStart: true, isHandler: true, ...how },
});

const cases: [string, Partial<WaitingFacts>, string, string][] = [
  ['nothing is in its way', {}, 'no-worker', 'There is no worker yet; one is about to start.'],
  ['a worker starts', starting, 'starting', 'A worker is starting.'],
  [
    'one starts beside busy ones',
    { ...starting, busy: 2 },
    'starting',
    'The other workers are busy, and another one is starting.',
  ],
  [
    'the only worker is busy',
    { busy: 1, workersMax: 1 },
    'maximum',
    'The only worker is busy, and the endpoint may have no more: its workersMax is 1.',
  ],
  [
    'the only worker is finishing a cancelled job',
    { busy: 1, finishing: 1 },
    'busy',
    'The only worker is still finishing a cancelled job; another one starts when a job has waited 4 s.',
  ],
  [
    'one of several is finishing a cancelled job',
    { busy: 2, othersBusy: 1, finishing: 1, workersMax: 2 },
    'maximum',
    'All 3 workers are busy, 1 of them still with a cancelled job, and the endpoint may have no more: its workersMax is 2.',
  ],
  ['all are busy', { busy: 2 }, 'busy', 'All 2 workers are busy; another one starts when a job has waited 4 s.'],
  [
    'all are busy and there is one for every job',
    { busy: 2, scaler: { type: 'REQUEST_COUNT', value: 1 } },
    'busy',
    'All 2 workers are busy; another one is about to start.',
  ],
  [
    'all are busy and there is one for some jobs',
    { busy: 2, scaler: { type: 'REQUEST_COUNT', value: 5 } },
    'busy',
    'All 2 workers are busy; there is one for every 5 jobs.',
  ],
  [
    'it was set aside',
    { crashes: 2, paused: 'Paused by you.' },
    'set-aside',
    'It was running when the engine crashed, 2 times, so it is set aside. Release it to try it again, or cancel it.',
  ],
  ['work is paused', { paused: 'Paused by you.', busy: 1 }, 'paused', 'Paused by you.'],
  [
    'work is paused here, but not elsewhere',
    { paused: 'Paused by you.', othersIdle: 1 },
    'not-asking',
    'A worker is free, but is not asking for a job now. It gets this one as soon as it does.',
  ],
  ['an image is pulled', { ...starting, preparing: 'Pulling me/image, 40 %' }, 'pulling', 'Pulling me/image, 40 %.'],
  ['the GPU is taken', noGpu, 'no-gpu', 'It waits for a free GPU.'],
  [
    'there is no GPU for one more',
    { ...noGpu, busy: 1 },
    'busy',
    'The only worker is busy, and another one cannot start: It waits for a free GPU.',
  ],
  [
    'all of the most are busy',
    { busy: 3 },
    'maximum',
    'All 3 workers are busy, and the endpoint may have no more: its workersMax is 3.',
  ],
  [
    'those of others are busy',
    { othersBusy: 1, workersMax: 0 },
    'busy',
    'The only worker is busy, and the endpoint is paused: its workersMax is 0.',
  ],
  [
    'none may be started',
    { workersMax: 0, ...low },
    'no-workers-allowed',
    'The endpoint is paused: its workersMax is 0. Resume it, or raise its workersMax, to run the job.',
  ],
  [
    'its priority is low',
    low,
    'low-priority',
    'Its priority is low: no worker starts for it. It runs once a worker is there for other jobs.',
  ],
  [
    'its priority is low and workers are busy',
    { ...low, busy: 1 },
    'low-priority',
    'The only worker is busy, and none starts for a low-priority job.',
  ],
  [
    'its priority is low, but others call for workers',
    { ...low, ...starting, workersCalledFor: true },
    'starting',
    'A worker is starting.',
  ],
  ['it cannot run', { ...unable, nextTryAt: 1_800_000_005_000 }, 'cannot-run', 'There is no Python. Install it.'],
  [
    'it cannot run any more',
    { ...unable, busy: 1 },
    'busy',
    'The only worker is busy, and another one cannot start: There is no Python. Install it.',
  ],
  [
    'its worker died',
    died(1),
    'crash-looping',
    'The handler fails on start: exit code 1. The next worker starts at once.',
  ],
  [
    'its workers keep dying',
    { ...died(3), nextTryAt: 1_800_000_002_000 },
    'crash-looping',
    'The handler fails on start: exit code 1. 3 workers failed in a row; the next one starts 2 s after the last one.',
  ],
  [
    'its worker died at its work',
    died(1, { onStart: false, reason: 'ValueError: no!' }),
    'crash-looping',
    'A worker crashed: ValueError: no! The next worker starts at once.',
  ],
  [
    'the next one of those starts',
    { ...died(3), ...starting },
    'crash-looping',
    'The handler fails on start: exit code 1. 3 workers failed in a row; the next one is starting.',
  ],
  [
    'one died beside a busy one',
    { ...died(2, { isHandler: false }), busy: 1 },
    'busy',
    'The only worker is busy. The worker fails on start: exit code 1. 2 workers failed in a row; the next one starts 1 s after the last one.',
  ],
  [
    'a free one does not ask',
    { othersIdle: 1, workersMax: 0 },
    'not-asking',
    'A worker is free, but is not asking for a job now. It gets this one as soon as it does.',
  ],
  [
    'free ones do not ask',
    { idle: 1, othersIdle: 1, busy: 1 },
    'not-asking',
    '2 workers are free, but none is asking for a job now. The first one that does gets this job.',
  ],
];

test.each(cases)('a job waits since %s', (_, facts, code, message) => {
  expect(explainWaiting({ ...calm, ...facts })).toMatchObject({ code, message });
});

test('every reason is one of those cases', () => {
  expect(new Set(cases.map(([, , code]) => code))).toEqual(new Set(waitingCodes));
});

test('how workers die is told with the cause first, and then with their number', () => {
  const death: Death = { reason: 'exit code 1', times: 1, onStart: true, isHandler: false };
  expect(deathText(death)).toBe('The worker fails on start: exit code 1.');
  expect(deathText({ ...death, times: 4 })).toBe('The worker fails on start: exit code 1. 4 workers failed in a row.');
});

test('the jobs that go before it are told, as far as they are counted', () => {
  const messageFor = (ahead: number): string => explainWaiting({ ...calm, ...starting, ahead }).message;
  expect(messageFor(1)).toBe('A worker is starting. 1 job goes before it.');
  expect(messageFor(12)).toBe('A worker is starting. 12 jobs go before it.');
  expect(messageFor(limits.jobsAheadCounted)).toBe('A worker is starting. At least 10000 jobs go before it.');
});

test('since when a worker starts, and when one is tried again, are told where they matter', () => {
  expect(explainWaiting({ ...calm, ...starting })).toMatchObject({
    since: '2027-01-15T08:00:00.000Z',
    nextTryAt: null,
  });
  const nextTryAt = 1_800_000_005_000;
  for (const trouble of [unable, died(3)]) {
    expect(explainWaiting({ ...calm, ...trouble, nextTryAt })).toMatchObject({
      since: null,
      nextTryAt: '2027-01-15T08:00:05.000Z',
    });
  }
});
