/** Which webhooks are sent at the end of a job, how often they are tried, and what the history keeps. */
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createFakeClock } from '../../../../test/support/core/fakes.ts';
import { createFakeWebhookStore } from '../../../../test/support/webhooks/fakes.ts';
import { RECEIVER, setUp } from '../../../../test/support/webhooks/rules.ts';

const ENDPOINT = 'ep';
const nothing = (): void => undefined;
const { gapMs, retries } = limits.webhook;
const refused = { error: 'refused' };
const ok = { status: 200 };

describe('who is told', () => {
  test('a receiver is called once the end of its job is on disk, not before', () => {
    const { clock, poster, begun, finish, commit } = setUp();
    const job = begun();
    finish(job);
    clock.advance(10);
    expect(poster.calls).toEqual([]);
    commit();
    clock.advance(0);
    expect(poster.calls).toMatchObject([{ url: RECEIVER, attempt: 1 }]);
    expect(JSON.parse(poster.calls[0]!.text)).toMatchObject({ id: job.id, status: 'COMPLETED', webhook: RECEIVER });
  });

  test('nobody is told of an end that could not be stored', () => {
    const { clock, store, poster, begun, finish, commit } = setUp();
    finish(begun());
    commit(new Error('disk full'));
    clock.advance(60_000);
    commit();
    expect(poster.calls).toEqual([]);
    expect(store.rows.size).toBe(0);
  });

  test('FAILED and TIMED_OUT are told with their reason', () => {
    const { clock, poster, begun, finish, commit } = setUp();
    finish(begun(), { error: 'the handler threw' });
    commit();
    clock.advance(0);
    const late = begun({ webhook: RECEIVER, policy: { executionTimeout: 5000 } });
    clock.advance(5000);
    commit();
    poster.calls[0]!.answer(ok);
    clock.advance(0);
    const payloads = poster.calls.map(({ text }) => JSON.parse(text) as object);
    expect(payloads).toMatchObject([
      { status: 'FAILED', error: 'the handler threw', output: null },
      { id: late.id, status: 'TIMED_OUT', error: expect.stringContaining('executionTimeout'), output: null },
    ]);
  });

  test('nobody is told of a job that is cancelled, removed by its ttl, or deleted with its endpoint', () => {
    const { clock, store, poster, jobs, begun, commit } = setUp();
    jobs.cancel(begun(), nothing);
    begun({ webhook: RECEIVER, policy: { ttl: 10_000 } });
    clock.advance(10_000);
    begun();
    jobs.removeEndpoint(ENDPOINT);
    commit();
    clock.advance(60_000);
    expect(poster.calls).toEqual([]);
    expect(store.rows.size).toBe(0);
  });

  test('what is sent has input and output as they were written, and no other field of the request', () => {
    const { clock, poster, begun, finish, commit } = setUp();
    const body = `{ "s3Config":{"accessSecret":"hidden"}, "input":{"n":9007199254740993, "é":"\\u00e9"},"webhook":"http:\\/\\/receiver.test\\/told" }`;
    const job = begun({ webhook: RECEIVER, s3Config: { accessSecret: 'hidden' } }, body);
    clock.advance(7);
    finish(job, { output: '{"big": 1e400, "a":[1 ,2]}' });
    commit();
    clock.advance(0);
    expect(poster.calls[0]!.text).toBe(
      `{"delayTime":0,"executionTime":7,"id":"${job.id}","input":{"n":9007199254740993, "é":"\\u00e9"},` +
        `"output":{"big": 1e400, "a":[1 ,2]},"status":"COMPLETED","webhook":"${RECEIVER}"}`,
    );
  });

  test('pending deliveries outlive their job and its endpoint', () => {
    const { clock, poster, jobs, completedJob, commit } = setUp();
    const job = completedJob();
    poster.calls[0]!.answer(refused);
    jobs.removeEndpoint(ENDPOINT);
    commit();
    clock.advance(gapMs);
    expect(poster.calls[1]).toMatchObject({ attempt: 2, text: poster.calls[0]!.text });
    expect(jobs.get(job.id)).toBeUndefined();
  });
});

describe('attempts', () => {
  test('a call in vain is made again twice, 10 s after the one before was over, and then given up', () => {
    const { clock, poster, completedJob, commit, only } = setUp();
    completedJob();
    const began = clock.now();
    clock.advance(300);
    poster.calls[0]!.answer({ status: 500, error: 'no' });
    commit();
    expect(only()).toMatchObject({ state: 'pending', nextAttemptAt: began + 300 + gapMs, tries: 1 });
    clock.advance(gapMs - 1);
    expect(poster.calls).toHaveLength(1);
    clock.advance(1);
    expect(poster.calls).toHaveLength(2);
    poster.calls[1]!.answer(refused);
    clock.advance(gapMs);
    expect(poster.calls).toHaveLength(3);
    poster.calls[2]!.answer(refused);
    commit();
    expect(only()).toMatchObject({
      state: 'failed',
      nextAttemptAt: null,
      finishedAt: clock.now(),
      attempts: [
        { at: began, tookMs: 300, status: 500, error: 'no' },
        { at: began + 300 + gapMs, tookMs: 0, status: null, error: 'refused' },
        { at: began + 300 + 2 * gapMs, tookMs: 0, status: null, error: 'refused' },
      ],
    });
    clock.advance(10 * gapMs);
    expect(poster.calls).toHaveLength(retries + 1);
  });

  test('the first call that is answered 2xx ends it', () => {
    const { clock, poster, completedJob, commit, only } = setUp();
    completedJob();
    poster.calls[0]!.answer(refused);
    clock.advance(gapMs);
    poster.calls[1]!.answer({ status: 204 });
    commit();
    expect(only()).toMatchObject({ state: 'delivered', tries: 2 });
    clock.advance(10 * gapMs);
    expect(poster.calls).toHaveLength(2);
  });

  test('an engine that starts again goes on from the attempts made and the time of the next one', () => {
    const { clock, store, poster, completedJob, commit } = setUp();
    completedJob();
    poster.calls[0]!.answer(refused);
    commit();
    clock.advance(4000);
    const after = setUp({ clock: createFakeClock(clock.now()), store: createFakeWebhookStore(store) });
    after.clock.advance(gapMs - 4001);
    expect(after.poster.calls).toEqual([]);
    after.clock.advance(1);
    expect(after.poster.calls).toMatchObject([{ attempt: 2, text: poster.calls[0]!.text }]);
    after.poster.calls[0]!.answer(refused);
    after.clock.advance(gapMs);
    after.poster.calls[1]!.answer(refused);
    after.commit();
    expect(after.only()).toMatchObject({ state: 'failed', tries: 3 });
  });

  test('an attempt that was under way when the engine went down is made again at once', () => {
    const { clock, store, poster, completedJob } = setUp();
    completedJob();
    expect(poster.open()).toHaveLength(1);
    const after = setUp({ clock: createFakeClock(clock.now() + 3_600_000), store: createFakeWebhookStore(store) });
    after.clock.advance(0);
    expect(after.poster.calls).toMatchObject([{ attempt: 1 }]);
  });

  test('an end that comes while the engine is still starting is told of once it has started, and once', () => {
    const { clock, poster, webhooks, completedJob } = setUp({ started: false });
    completedJob();
    expect(poster.calls).toEqual([]);
    webhooks.start();
    clock.advance(0);
    poster.calls[0]!.answer(ok);
    clock.advance(10 * gapMs);
    expect(poster.calls).toHaveLength(1);
  });

  test('a clock that was set back makes nobody wait longer than 10 s', () => {
    const { clock, store, poster, completedJob, commit } = setUp();
    completedJob();
    poster.calls[0]!.answer(refused);
    commit();
    const after = setUp({ clock: createFakeClock(clock.now() - 7_200_000), store: createFakeWebhookStore(store) });
    after.clock.advance(gapMs);
    expect(after.poster.calls).toHaveLength(1);
  });

  test('thousands that wait have one timer between them', () => {
    const { clock, poster, completedJob } = setUp();
    for (let i = 0; i < 2000; i++) {
      completedJob({ webhook: `http://r${i}.test/` });
      poster.calls.at(-1)!.answer(refused);
    }
    const before = clock.pending();
    completedJob();
    poster.calls.at(-1)!.answer(refused);
    expect(clock.pending()).toBeLessThanOrEqual(before + 4);
    expect(poster.calls).toHaveLength(2001);
  });

  test('an end that could not be stored is stored later, without another call', () => {
    const { clock, poster, completedJob, commit, only } = setUp();
    completedJob();
    poster.calls[0]!.answer(ok);
    commit(new Error('disk full'));
    expect(only()).toMatchObject({ state: 'pending' });
    clock.advance(gapMs);
    commit();
    expect(only()).toMatchObject({ state: 'delivered' });
    expect(poster.calls).toHaveLength(1);
  });

  test('once stopped it calls nobody, and leaves no timer', () => {
    const { clock, poster, webhooks, jobs, completedJob, begun, finish, commit } = setUp();
    completedJob();
    poster.calls[0]!.answer(refused);
    finish(begun());
    webhooks.stop();
    commit();
    jobs.stop();
    expect(clock.pending()).toBe(0);
    clock.advance(10 * gapMs);
    expect(poster.calls).toHaveLength(1);
  });
});

describe('sending again', () => {
  test.each(['delivered', 'failed'] as const)('a %s delivery gets one new series of attempts', (state) => {
    const { clock, poster, webhooks, completedJob, commit, only } = setUp();
    completedJob();
    for (let i = 0; i <= retries; i++) {
      poster.calls.at(-1)!.answer(state === 'delivered' ? ok : refused);
      clock.advance(gapMs);
    }
    commit();
    expect(only().state).toBe(state);
    const made = poster.calls.length;
    const seen: unknown[] = [];
    webhooks.redeliver(only().id, (error) => seen.push(error));
    clock.advance(0);
    expect(poster.calls).toHaveLength(made);
    commit();
    expect(seen).toEqual([null]);
    expect(only()).toMatchObject({ state: 'pending', tries: 0 });
    for (let i = 0; i <= retries; i++) {
      clock.advance(gapMs);
      expect(poster.calls).toHaveLength(made + i + 1);
      expect(poster.calls.at(-1)).toMatchObject({ attempt: made + i + 1, text: poster.calls[0]!.text });
      poster.calls.at(-1)!.answer(refused);
    }
    clock.advance(10 * gapMs);
    commit();
    expect(poster.calls).toHaveLength(made + retries + 1);
    expect(only()).toMatchObject({ state: 'failed', tries: 3 });
    expect(only().attempts).toHaveLength(made + retries + 1);
  });

  test('a pending delivery is refused', () => {
    const { webhooks, completedJob, only } = setUp();
    completedJob();
    expect(() => webhooks.redeliver(only().id, nothing)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  });

  test('whose end is not yet on disk begins anew with all its attempts', () => {
    const { clock, poster, webhooks, completedJob, commit, only } = setUp();
    completedJob();
    poster.calls[0]!.answer(ok);
    webhooks.redeliver(only().id, nothing);
    commit();
    clock.advance(0);
    poster.calls[1]!.answer(ok);
    commit();
    expect(only()).toMatchObject({ state: 'delivered' });
    expect(only().attempts).toHaveLength(2);
  });

  test('ids that nobody was given are not found', () => {
    const { webhooks, completedJob, only } = setUp();
    completedJob();
    for (const id of ['', 'x', 'whd_1_00', 'whd_zzzzzzzzzz_00', `${only().id}0`]) {
      expect(() => webhooks.get(id), id).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    }
    expect(webhooks.get(only().id)).toMatchObject({ id: only().id });
  });
});

describe('what is remembered', () => {
  test('deliveries that ended 7 days ago go; pending ones stay', () => {
    const { clock, store, poster, completedJob, commit } = setUp();
    completedJob();
    poster.calls[0]!.answer(ok);
    commit();
    clock.advance(limits.webhook.retentionMs - 1);
    commit();
    expect(store.rows.size).toBe(1);
    completedJob();
    clock.advance(1);
    commit();
    expect([...store.rows.values()]).toMatchObject([{ state: 'pending' }]);
    expect(store.payloads.size).toBe(1);
  });

  /** A store with this many delivered deliveries of an earlier engine, each with a payload of this length. */
  function leftBehind(count: number, payloadLength: number) {
    const earlier = createFakeWebhookStore();
    for (let seq = 1; seq <= count; seq++) {
      earlier.rows.set(seq, {
        seq,
        id: `whd_${seq}_00`,
        jobId: 'j',
        endpointId: ENDPOINT,
        url: RECEIVER,
        jobStatus: 'COMPLETED',
        state: 'delivered',
        createdAt: 0,
        nextAttemptAt: null,
        finishedAt: 1_800_000_000_000 + seq,
        tries: 1,
        payloadLength,
        attempts: [],
      });
      if (payloadLength > 0) earlier.payloads.set(seq, ['its text']);
    }
    return setUp({ clock: createFakeClock(1_800_000_100_000), store: createFakeWebhookStore(earlier) });
  }

  test('of too many the oldest go', () => {
    const { store, poster, completedJob, commit } = leftBehind(limits.webhook.kept, 0);
    completedJob();
    poster.calls[0]!.answer(ok);
    commit();
    commit();
    expect(store.rows.size).toBe(limits.webhook.kept);
    expect(store.rows.has(1)).toBe(false);
  });

  test('what was sent is kept while there is room for it; the oldest goes first and cannot be sent again', () => {
    const { store, poster, webhooks, completedJob, commit } = leftBehind(4, limits.webhook.storedPayloadLength / 4);
    completedJob();
    poster.calls[0]!.answer(ok);
    commit();
    commit();
    expect(store.rows.size).toBe(5);
    expect([...store.payloads.keys()]).toEqual([2, 3, 4, 5]);
    expect(store.rows.get(1)).toMatchObject({ payloadLength: 0 });
    expect(() => webhooks.redeliver('whd_1_00', nothing)).toThrow(/no longer kept/);
  });
});
