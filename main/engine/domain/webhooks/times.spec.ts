/**
 * When a webhook is sent again: each delivery at its own time, across changes of the settings and restarts of the
 * engine.
 */
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createFakeClock } from '../../../../test/support/core/fakes.ts';
import { createFakeWebhookStore } from '../../../../test/support/webhooks/fakes.ts';
import { RECEIVER, setUp } from '../../../../test/support/webhooks/rules.ts';

const { gapMs, retries } = limits.webhook;
const refused = { error: 'refused' };

/** A separate address for each delivery, so that no delivery waits for the receiver of another one. */
const receiver = (name: string): string => `http://${name}.test/`;

/** The addresses that were called after the first `from` calls. */
const calledAfter = ({ poster }: ReturnType<typeof setUp>, from: number): string[] =>
  poster.calls.slice(from).map(({ url }) => url);

/** Ends a job whose receiver refuses the first call. */
function refuseOnce(on: ReturnType<typeof setUp>, name: string): void {
  on.completedJob({ webhook: receiver(name) });
  on.poster.calls.at(-1)!.answer(refused);
}

describe('the time of the next attempt', () => {
  test('two deliveries that were refused at different times are called again each at its own time', () => {
    const on = setUp();
    refuseOnce(on, 'first');
    on.clock.advance(4000);
    refuseOnce(on, 'second');
    on.clock.advance(gapMs - 4000);
    expect(calledAfter(on, 2)).toEqual([receiver('first')]);
    on.clock.advance(3999);
    expect(calledAfter(on, 2)).toEqual([receiver('first')]);
    on.clock.advance(1);
    expect(calledAfter(on, 2)).toEqual([receiver('first'), receiver('second')]);
  });

  test('a gap that was shortened holds for whoever is refused from then on, and the others keep their time', () => {
    const settings = { retries, gapMs };
    const on = setUp({ tries: () => settings });
    refuseOnce(on, 'long');
    settings.gapMs = 2000;
    refuseOnce(on, 'short');
    on.clock.advance(1000);
    refuseOnce(on, 'later');
    on.clock.advance(999);
    expect(calledAfter(on, 3)).toEqual([]);
    on.clock.advance(1);
    expect(calledAfter(on, 3)).toEqual([receiver('short')]);
    on.clock.advance(1000);
    expect(calledAfter(on, 3)).toEqual([receiver('short'), receiver('later')]);
    on.clock.advance(gapMs - 3001);
    expect(calledAfter(on, 3)).toHaveLength(2);
    on.clock.advance(1);
    expect(calledAfter(on, 3)).toEqual([receiver('short'), receiver('later'), receiver('long')]);
  });

  test('all deliveries that wait for their next attempt share one timer', () => {
    const on = setUp();
    refuseOnce(on, 'first');
    const withOne = on.clock.pending();
    on.clock.advance(1000);
    refuseOnce(on, 'second');
    refuseOnce(on, 'third');
    expect(on.clock.pending()).toBe(withOne);
  });

  test('an engine that starts with deliveries of an earlier one shares one timer among them as well', () => {
    const before = setUp();
    refuseOnce(before, 'first');
    before.clock.advance(1000);
    refuseOnce(before, 'second');
    before.commit();
    const store = createFakeWebhookStore(before.store);
    const on = setUp({ store, clock: createFakeClock(before.clock.now()), started: false });
    const idle = on.clock.pending();
    on.webhooks.start();
    on.clock.advance(0);
    expect(on.clock.pending()).toBe(idle + 1);
    expect(on.poster.calls).toEqual([]);
  });
});

describe('a stop', () => {
  test('a call that is refused after the stop arms no timer', () => {
    const on = setUp();
    on.completedJob();
    on.webhooks.stop();
    const before = on.clock.pending();
    on.poster.calls[0]!.answer(refused);
    expect(on.clock.pending()).toBe(before);
    on.clock.advance(10 * gapMs);
    expect(calledAfter(on, 0)).toEqual([RECEIVER]);
  });

  test('an end that is stored after the stop begins no call', () => {
    const on = setUp();
    const job = on.begun();
    on.finish(job);
    on.webhooks.stop();
    const before = on.clock.pending();
    on.commit();
    on.clock.advance(10 * gapMs);
    expect(on.poster.calls).toEqual([]);
    expect(on.clock.pending()).toBeLessThanOrEqual(before);
  });
});

describe('what cannot be read or stored', () => {
  const unreadable = 'What was to be sent could not be read from the disk.';

  test.each([
    ['is gone', () => null],
    [
      'cannot be read',
      () => {
        throw new Error('EIO');
      },
    ],
  ])(
    'a delivery whose payload %s is not sent: the attempt counts as refused, and the next one comes',
    (_how, payload) => {
      const on = setUp();
      const read = on.store.payload;
      on.store.payload = payload;
      on.completedJob();
      on.commit();
      expect(on.poster.calls).toEqual([]);
      expect(on.only()).toMatchObject({ state: 'pending', tries: 1, attempts: [{ status: null, error: unreadable }] });
      on.store.payload = read;
      on.clock.advance(gapMs);
      expect(on.poster.calls).toMatchObject([{ url: RECEIVER, attempt: 2 }]);
    },
  );

  test('a refusal that could not be stored does not put off the next attempt', () => {
    const on = setUp();
    on.completedJob();
    on.poster.calls[0]!.answer(refused);
    on.clock.advance(4000);
    on.commit(new Error('disk full'));
    on.clock.advance(gapMs - 4001);
    expect(on.poster.calls).toHaveLength(1);
    on.clock.advance(1);
    expect(on.poster.calls).toHaveLength(2);
  });

  test('an end that could not be stored is tried again until it is stored, without another call', () => {
    const on = setUp();
    on.completedJob();
    on.poster.calls[0]!.answer({ status: 200 });
    for (let failed = 0; failed < 3; failed++) {
      on.commit(new Error('disk full'));
      expect(on.only().state).toBe('pending');
      on.clock.advance(gapMs);
    }
    on.commit();
    expect(on.only().state).toBe('delivered');
    expect(on.poster.calls).toHaveLength(1);
  });

  test('a delivery that waits for its next attempt is not among the old ones that go', () => {
    const on = setUp();
    on.completedJob();
    on.poster.calls[0]!.answer(refused);
    on.commit();
    // The next check of the history removes old deliveries; the call that follows stays open.
    on.clock.advance(limits.webhook.retentionMs);
    on.commit();
    expect(on.store.rows.size).toBe(1);
  });
});

describe('sending again', () => {
  test('a delivery that is being sent again is pending before that is stored, and is refused a second time', () => {
    const on = setUp();
    on.completedJob();
    on.poster.calls[0]!.answer({ status: 200 });
    on.commit();
    const { id } = on.only();
    on.webhooks.redeliver(id, () => undefined);
    expect(() => on.webhooks.redeliver(id, () => undefined)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
    on.commit();
    on.clock.advance(0);
    expect(on.poster.calls).toHaveLength(2);
  });

  test('a delivery that could not be sent again stays ended, can be asked for again, and goes when it is old', () => {
    const on = setUp();
    on.completedJob();
    on.poster.calls[0]!.answer({ status: 200 });
    on.commit();
    const { id } = on.only();
    const answers: unknown[] = [];
    const full = new Error('disk full');
    on.webhooks.redeliver(id, (error) => answers.push(error));
    on.commit(full);
    on.clock.advance(gapMs);
    expect([answers, on.poster.calls.length, on.only().state]).toEqual([[full], 1, 'delivered']);
    on.webhooks.redeliver(id, (error) => answers.push(error));
    on.commit(full);
    expect(answers).toEqual([full, full]);
    on.clock.advance(limits.webhook.retentionMs);
    on.commit();
    expect(on.store.rows.size).toBe(0);
  });
});

describe('the slots that calls take', () => {
  test('a large delivery takes a slot for each part of its payload, so that few of them are under way at once', () => {
    const { slots, slotLength, perReceiver } = limits.webhook;
    const parts = slots.new / 4;
    const on = setUp();
    const large = JSON.stringify('x'.repeat((parts - 1) * slotLength));
    for (let n = 0; n < 6; n++) {
      on.finish(on.begun({ webhook: receiver(`large${n}`) }), { output: large });
      on.commit();
      on.clock.advance(0);
    }
    expect(perReceiver.new).toBe(1);
    expect(on.poster.open()).toHaveLength(4);
    on.poster.open()[0]!.answer({ status: 200 });
    on.clock.advance(0);
    expect(on.poster.open()).toHaveLength(4);
  });
});
