/** The table of a Pod's status: every pair of a status and an event, locked and unlocked. */
import { describe, expect, test } from 'vitest';
import { desiredStatuses } from '#contract/api/pod.ts';
import { podRecordOf } from '../../../../test/support/pods/podRecord.ts';
import {
  changeStatus,
  isLockedFor,
  nextStatus,
  requireNextStatus,
  type DesiredStatus,
  type PodEvent,
} from './state.ts';

const events: PodEvent[] = ['start', 'stop', 'restart', 'reset', 'update', 'terminate'];

/** `status event` → the status after it. Other pairs are refused. */
const table: Readonly<Record<string, DesiredStatus>> = {
  'RUNNING start': 'RUNNING',
  'RUNNING stop': 'EXITED',
  'RUNNING restart': 'RUNNING',
  'RUNNING reset': 'RUNNING',
  'RUNNING update': 'RUNNING',
  'RUNNING terminate': 'TERMINATED',
  'EXITED start': 'RUNNING',
  'EXITED stop': 'EXITED',
  'EXITED reset': 'EXITED',
  'EXITED update': 'EXITED',
  'EXITED terminate': 'TERMINATED',
};
const refusedLocked: PodEvent[] = ['stop', 'reset', 'terminate'];

describe.each(desiredStatuses)('a Pod that is %s', (status) => {
  const pod = podRecordOf('p', status);

  test.each(events)('goes by %s where the table says so, and nowhere else', (event) => {
    const next = table[`${status} ${event}`] ?? null;
    expect(nextStatus(status, event)).toBe(next);
    const refusal = status === 'TERMINATED' ? 'The Pod "p" (p) was deleted.' : 'is stopped: start it instead.';
    if (next === null) {
      expect(() => requireNextStatus(pod, event)).toThrow(refusal);
      expect(() => changeStatus(pod, event, 'now')).toThrow(refusal);
    } else {
      expect(requireNextStatus(pod, event)).toBe(next);
      expect(changeStatus(pod, event, 'now')).toEqual({ ...pod, desiredStatus: next, lastStatusChange: 'now' });
    }
  });

  test.each(events)('and is locked refuses %s where that would end it or wipe its disk', (event) => {
    const locked = { ...pod, locked: true };
    const isRefused = refusedLocked.includes(event);
    expect(isLockedFor(locked, event)).toBe(isRefused);
    expect(isLockedFor(pod, event)).toBe(false);
    const next = table[`${status} ${event}`];
    if (status === 'TERMINATED') expect(() => requireNextStatus(locked, event)).toThrow('was deleted');
    else if (isRefused) expect(() => requireNextStatus(locked, event)).toThrow('is locked, so it is not');
    else if (next === undefined) expect(() => requireNextStatus(locked, event)).toThrow('is stopped');
    else expect(requireNextStatus(locked, event)).toBe(next);
  });
});

test('a deleted Pod stays deleted, whatever happens', () => {
  expect(events.filter((event) => nextStatus('TERMINATED', event) !== null)).toEqual([]);
});
