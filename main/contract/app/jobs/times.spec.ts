import { describe, expect, it } from 'vitest';
import { phasesOf, timesOf } from './times.ts';

const job = {
  status: 'IN_PROGRESS' as const,
  sentAt: 1000,
  workerStartedAt: null,
  startedAt: null,
  finishedAt: null,
  delayTime: null,
  executionTime: null,
};

describe('the phases of a job', () => {
  it('a job without a worker has waited until now', () => {
    expect(phasesOf({ ...job, status: 'IN_QUEUE' }, 1700)).toEqual([{ name: 'queued', ms: 700 }]);
  });

  it('a running job on a new worker has all three', () => {
    expect(phasesOf({ ...job, workerStartedAt: 1200, startedAt: 2100 }, 7200)).toEqual([
      { name: 'queued', ms: 200 },
      { name: 'workerStart', ms: 900 },
      { name: 'running', ms: 5100 },
    ]);
  });

  it('no worker start is claimed where a worker was there already', () => {
    expect(phasesOf({ ...job, startedAt: 1010 }, 2010).map((phase) => phase.name)).toEqual(['queued', 'running']);
  });

  it('a finished job does not grow, and its running time is what the service says', () => {
    const done = { ...job, status: 'COMPLETED' as const, startedAt: 1100, finishedAt: 3100, executionTime: 1990 };
    expect(phasesOf(done, 999_999)).toEqual([
      { name: 'queued', ms: 100 },
      { name: 'running', ms: 1990 },
    ]);
  });

  it('where it is not told when a job began, what it waited tells it; one that never ran has only waited', () => {
    const timed = { ...job, delayTime: 400 };
    expect(phasesOf(timed, 2000)).toEqual([
      { name: 'queued', ms: 400 },
      { name: 'running', ms: 600 },
    ]);
    const done = { ...timed, status: 'COMPLETED' as const, finishedAt: 9000, executionTime: 50 };
    expect(phasesOf(done, 9999).at(-1)).toEqual({ name: 'running', ms: 50 });
    const cancelled = { ...job, status: 'CANCELLED' as const, finishedAt: 1500, delayTime: 0, executionTime: 0 };
    expect(phasesOf(cancelled, 9999)).toEqual([{ name: 'queued', ms: 500 }]);
  });

  it('a job waits as long as the service says; the way of the request to the service is no wait', () => {
    const done = { ...job, status: 'COMPLETED' as const, startedAt: 1006, delayTime: 1, executionTime: 20 };
    expect(phasesOf(done, 9999)).toEqual([
      { name: 'queued', ms: 1 },
      { name: 'running', ms: 20 },
    ]);
    expect(phasesOf({ ...done, workerStartedAt: 1002, startedAt: 1506, delayTime: 500 }, 9999)).toEqual([
      { name: 'queued', ms: 0 },
      { name: 'workerStart', ms: 500 },
      { name: 'running', ms: 20 },
    ]);
  });

  it('a job that was not queued, or of which nobody knows it, has none', () => {
    for (const status of ['REFUSED', 'UNANSWERED'] as const)
      expect(phasesOf({ ...job, status, finishedAt: 1021 }, 9999)).toEqual([]);
  });

  it('clocks that disagree never make a phase negative', () => {
    const odd = { ...job, workerStartedAt: 500, startedAt: 900, finishedAt: 800, status: 'FAILED' as const };
    for (const phase of phasesOf(odd, 0)) expect(phase.ms).toBeGreaterThanOrEqual(0);
  });
});

describe('the times of a job in a list', () => {
  it.each([
    ['one that waits', { status: 'IN_QUEUE' }, 1700, { waited: 700, ran: null }],
    ['one that was refused', { status: 'REFUSED', finishedAt: 1021 }, 1700, { waited: null, ran: null }],
    ['one that waits where nobody can be asked', { status: 'IN_QUEUE' }, null, { waited: null, ran: null }],
    ['one that runs', { startedAt: 1100 }, 1700, { waited: 100, ran: 600 }],
    ['one that began after the clock of the list was read', { startedAt: 1100 }, 1090, { waited: 100, ran: null }],
    ['one that runs where nobody can be asked', { startedAt: 1100 }, null, { waited: 100, ran: null }],
    [
      'one that is over',
      { status: 'COMPLETED', startedAt: 1100, finishedAt: 1100, executionTime: 0 },
      null,
      { waited: 100, ran: 0 },
    ],
  ] as const)('%s', (_what, fields, now, times) => {
    expect(timesOf({ ...job, ...fields }, now)).toEqual(times);
  });
});
