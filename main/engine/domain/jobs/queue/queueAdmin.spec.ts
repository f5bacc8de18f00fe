/** The order that people give to a queue, and jobs that are set aside. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFakeJobStore } from '../../../../../test/support/core/fakes.ts';
import { ENDPOINT, setUp } from '../../../../../test/support/jobs/rules.ts';
import type { Job } from '../jobRecord.ts';

type Rules = ReturnType<typeof setUp>;

const ids = (jobs: readonly Job[]): string[] => jobs.map(({ id }) => id);
const order = ({ jobs }: Rules): string[] => ids(jobs.first(ENDPOINT, Infinity));
const none = (): void => undefined;

describe('moving', () => {
  test('any moves leave the order that was asked for, before and after a restart, and later jobs behind it', () => {
    const moves = fc.array(fc.tuple(fc.nat(7), fc.option(fc.nat(7))), { maxLength: 120 });
    fc.assert(
      fc.property(moves, fc.boolean(), (pairs, sameGap) => {
        const before = setUp();
        const made = Array.from({ length: 8 }, () => before.submit());
        const wanted = [...made];
        for (const [from, to] of pairs) {
          const job = made[from]!;
          // Always into the same gap: the room between two numbers ends soon.
          const target = sameGap ? wanted[1]! : to === null ? null : made[to]!;
          before.jobs.move(job, target, none);
          if (job === target) continue;
          wanted.splice(wanted.indexOf(job), 1);
          wanted.splice(target ? wanted.indexOf(target) : wanted.length, 0, job);
          expect(order(before)).toEqual(ids(wanted));
        }
        const late = before.submit();
        before.store.commit();
        const after = setUp(createFakeJobStore(before.store));
        const later = after.submit();
        expect(order(after)).toEqual([...ids(wanted), late.id, later.id]);
      }),
      { numRuns: 200 },
    );
  });

  test('moves a job among those that came back as well', () => {
    const rules = setUp();
    const [a, b, c] = [rules.submit(), rules.submit(), rules.submit()];
    rules.jobs.takeNow(rules.jobs.workers.touch('w', ENDPOINT), 1, ([taken]) => rules.jobs.giveBack(taken!));
    rules.store.commit();
    rules.jobs.move(c, a, none);
    expect(order(rules)).toEqual(ids([c, a, b]));
    rules.jobs.move(a, null, none);
    expect(order(rules)).toEqual(ids([c, b, a]));
    expect(rules.take('w')[0]).toBe(c);
  });

  test('is told once it is stored, and refused while a purge goes on', () => {
    const rules = setUp();
    const [a, b] = [rules.submit(), rules.submit()];
    rules.store.commit();
    const callbacks: unknown[] = [];
    rules.jobs.move(b, a, (error) => callbacks.push(error));
    expect(callbacks).toEqual([]);
    rules.store.commit();
    expect(callbacks).toEqual([null]);
    const late = rules.submit();
    rules.jobs.takeNow(rules.jobs.workers.touch('w', ENDPOINT), 1, none);
    const another = b.status === 'IN_PROGRESS' ? b : a;
    rules.store.commit();
    rules.jobs.purge(ENDPOINT, none);
    rules.jobs.giveBack(another);
    expect(() => rules.jobs.move(another, null, none)).toThrow(/being purged/);
    rules.store.commit();
    rules.store.commit();
    expect([a.status, b.status, late.status]).toEqual(['CANCELLED', 'IN_QUEUE', 'CANCELLED']);
    rules.jobs.move(b, null, none);
  });
});

describe('a job that was running at a crash', () => {
  /** The same store under a new engine, which has crashed while its own worker had what waits first. */
  const crashed = (before: Rules): Rules => {
    const worker = before.jobs.workers.addOwn(`own-${before.clock.now()}`, ENDPOINT);
    before.jobs.takeNow(worker, 1, none);
    before.store.commitAll();
    return setUp(createFakeJobStore(before.store));
  };

  test('goes on after one crash, and is set aside after two', () => {
    const first = setUp();
    const { id } = first.submit();
    const second = crashed(first);
    expect(second.jobs.quarantined()).toEqual([]);
    const third = crashed(second);
    expect(ids(third.jobs.quarantined())).toEqual([id]);
    expect(third.jobs.queueOf(ENDPOINT).counters).toMatchObject({ inQueue: 1, quarantined: 1, calling: 0 });
    expect(third.take('w')).toEqual([]);
    // A worker that asks is parked, and not sent away: the next job is its own.
    const next = third.submit();
    expect(next.status === 'IN_PROGRESS' || third.take('w')[0] === next).toBe(true);
  });

  test('is still set aside after another restart, and its ttl counts on', () => {
    const third = crashed(
      crashed(
        (() => {
          const rules = setUp();
          rules.submit({ ttl: 60_000 });
          return rules;
        })(),
      ),
    );
    third.store.commit();
    const fourth = setUp(createFakeJobStore(third.store));
    expect(fourth.jobs.quarantined()).toHaveLength(1);
    fourth.clock.advance(60_000);
    fourth.store.commit();
    expect(fourth.jobs.quarantined()).toEqual([]);
    expect(fourth.store.rows.size).toBe(0);
  });

  test('is set aside again where its release could not be stored', () => {
    const rules = crashed(
      crashed(
        (() => {
          const made = setUp();
          made.submit();
          return made;
        })(),
      ),
    );
    rules.store.commit();
    const [job] = rules.jobs.quarantined();
    const callbacks: unknown[] = [];
    rules.jobs.release(job!, (error) => callbacks.push(error));
    rules.store.commit(new Error('the disk is full'));
    expect(callbacks).toEqual([new Error('the disk is full')]);
    expect(rules.jobs.quarantined()).toEqual([job]);
    expect(rules.take('w')).toEqual([]);
    rules.jobs.release(job!, none);
    rules.store.commit();
    expect(rules.jobs.quarantined()).toEqual([]);
    expect(rules.take('w')).toEqual([job]);
  });
});
