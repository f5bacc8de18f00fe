/** When a Pod is idle, and which stop is due. */
import { describe, expect, it } from 'vitest';
import {
  busyWith,
  dueStop,
  followIdle,
  nextStop,
  reasonOf,
  spendWarning,
  spentOf,
  type IdleTrack,
  type PodActivity,
} from './autoStopRule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const idle: PodActivity = { cpuPercent: 1, cores: 4, gpuPercents: [0], trafficBytesPerS: 100, terminals: 0 };

describe('a Pod is idle', () => {
  it('while its processor, its GPUs and its network do next to nothing, and no terminal is open', () => {
    expect(busyWith(idle)).toBeNull();
    expect(busyWith({ ...idle, cpuPercent: 4.9, gpuPercents: [4.9, 0], trafficBytesPerS: 1023 })).toBeNull();
  });

  it.each<[string, Partial<PodActivity>]>([
    ['Its CPU is at 5 %.', { cpuPercent: 5 }],
    ['Its GPU is at 30 %.', { gpuPercents: [0, 30] }],
    ['Its network traffic is 2 KB per second.', { trafficBytesPerS: 2048 }],
    ['A terminal is open.', { terminals: 1 }],
    ['Terminals are open.', { terminals: 2 }],
    ['The load of its CPU is unknown.', { cpuPercent: null }],
    ['The load of its GPU is unknown.', { gpuPercents: [0, null] }],
  ])('and not: %s', (sentence, change) => {
    expect(busyWith({ ...idle, ...change })).toBe(sentence);
  });

  it('not while one thread works on many cores, and only if it is surely less on an unknown number of them', () => {
    expect(busyWith({ ...idle, cpuPercent: 1.6, cores: 64 })).toBe('Its CPU is at 2 %.');
    expect(busyWith({ ...idle, cpuPercent: 0.7, cores: 64 })).toBeNull();
    expect(busyWith({ ...idle, cpuPercent: 1, cores: null })).toBe('Its CPU is at 1 %.');
    expect(busyWith({ ...idle, cpuPercent: 0.9, cores: null })).toBeNull();
  });

  it('also if its traffic or its terminals are not known', () => {
    expect(busyWith({ ...idle, trafficBytesPerS: null, terminals: null })).toBeNull();
  });
});

describe('the idle time', () => {
  const follow = (before: IdleTrack | null, activity: PodActivity | null, now: number) =>
    followIdle(before, activity, now, MINUTE);

  it('counts from the first idle measurement, and anew after each busy one', () => {
    const first = follow(null, idle, 1000);
    expect(first.idleSince).toBe(1000);
    expect(follow(first, idle, 11_000).idleSince).toBe(1000);
    const busy = follow(first, { ...idle, cpuPercent: 50 }, 11_000);
    expect(busy).toEqual({ idleSince: null, busyWith: 'Its CPU is at 50 %.', measuredAt: 11_000 });
    expect(follow(busy, idle, 21_000).idleSince).toBe(21_000);
  });

  it('begins anew after a time without a measurement, and after a step back of the clock', () => {
    const first = follow(null, idle, HOUR);
    expect(follow(first, idle, HOUR + MINUTE).idleSince).toBe(HOUR);
    expect(follow(first, idle, HOUR + MINUTE + 1).idleSince).toBe(HOUR + MINUTE + 1);
    expect(follow(first, idle, MINUTE).idleSince).toBe(MINUTE);
    expect(follow(first, null, HOUR + 1000)).toMatchObject({ idleSince: null, busyWith: 'It could not be measured.' });
  });
});

describe('a stop', () => {
  const rules = { idleMinutes: 30, spendUsd: 5 };
  const facts = { rules, idleSince: null, perHourUsd: 0.5, since: HOUR };

  it('is due once the Pod was idle long enough', () => {
    const isIdle = { ...facts, idleSince: HOUR };
    expect(dueStop(isIdle, HOUR + 30 * MINUTE - 1)).toBeNull();
    expect(dueStop(isIdle, HOUR + 30 * MINUTE)).toEqual({ cause: 'idle', reason: 'idle for 30 min' });
    expect(dueStop({ ...isIdle, rules: { ...rules, idleMinutes: null } }, HOUR + 31 * MINUTE)).toBeNull();
  });

  it('is due once the Pod has cost its cap', () => {
    expect(dueStop(facts, 11 * HOUR - 1)).toBeNull();
    expect(dueStop(facts, 11 * HOUR)).toEqual({
      cause: 'spend',
      reason: 'it has cost $5.00, which is its spend cap',
    });
  });

  it('that comes next is the earlier one, and there is none without a price, a start or an idle time', () => {
    expect(nextStop({ ...facts, idleSince: 2 * HOUR })).toEqual({ at: 2 * HOUR + 30 * MINUTE, cause: 'idle' });
    expect(nextStop({ ...facts, idleSince: 10.9 * HOUR })).toEqual({ at: 11 * HOUR, cause: 'spend' });
    expect(nextStop({ ...facts, perHourUsd: 0 })).toBeNull();
    expect(nextStop({ ...facts, since: null })).toBeNull();
  });

  it('has its reason in minutes, and in hours from one on', () => {
    const reasons = [5, 60, 125].map((idleMinutes) => reasonOf('idle', { idleMinutes, spendUsd: null }));
    expect(reasons).toEqual(['idle for 5 min', 'idle for 1 h', 'idle for 2 h 5 min']);
  });

  it('by the cost is warned of from 80 percent on', () => {
    expect(spendWarning(facts, 9 * HOUR - 1)).toBeNull();
    expect(spendWarning(facts, 9 * HOUR)).toBe('It has cost $4.00, 80 % of its spend cap of $5.00.');
    const cents = { ...facts, perHourUsd: 0.001, rules: { ...rules, spendUsd: 0.01 } };
    expect(spendWarning(cents, 9.4 * HOUR)).toBe('It has cost $0.0084, 84 % of its spend cap of $0.01.');
    expect(spendWarning({ ...facts, rules: { ...rules, spendUsd: null } }, 9 * HOUR)).toBeNull();
    expect(spentOf({ ...facts, perHourUsd: 0 }, 9 * HOUR)).toBeNull();
  });
});
