/**
 * Rules of following jobs through cuts, sleeps and clocks that jump: a service that is acted out, a real ledger, fake
 * time.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { WebhookDelivery } from '#contract/api/webhook.ts';
import { startOutage, type Outage } from '../../../test/support/streams/outage.ts';

const MINUTE_MS = 60_000;

let at: Outage;
beforeEach(() => (at = startOutage()));
afterEach(() => at.end());

/** Brings a job to where the line is cut, and says what is still to come of it. */
const moments: Record<string, (id: string) => Promise<string[]>> = {
  'while it waits': async () => {
    await at.pass(2000);
    return ['1', '2', '3'];
  },
  'as it starts': async (id) => {
    at.service.change(id, { status: 'IN_PROGRESS' });
    return ['1', '2', '3'];
  },
  'while a poll of its stream is held open': async (id) => {
    at.service.change(id, { status: 'IN_PROGRESS' });
    await at.pass(2000);
    return ['1', '2', '3'];
  },
  'in the middle of its stream': async (id) => {
    at.service.change(id, { status: 'IN_PROGRESS' });
    await at.pass(1000);
    at.service.write(id, '1', '2');
    await at.pass(1000);
    expect(at.chunksOf(id)).toEqual(['1', '2']);
    return ['3'];
  },
  'with chunks that were not read': async (id) => {
    at.service.change(id, { status: 'IN_PROGRESS' });
    await at.pass(1000);
    at.service.cut();
    at.service.write(id, '1', '2');
    return ['3'];
  },
};

describe('a network that is cut for ten minutes', () => {
  for (const hasLocal of [true, false]) {
    const where = hasLocal ? 'an engine' : 'a cloud';
    it.each(Object.entries(moments))(
      `loses nothing and reads nothing twice of a job of ${where}: %s`,
      async (_, bring) => {
        at.service.hasLocal = hasLocal;
        at.send('j');
        const rest = await bring('j');
        at.service.cut();
        await at.pass(5 * MINUTE_MS);
        at.service.change('j', { status: 'IN_PROGRESS' });
        at.service.write('j', ...rest);
        at.service.end('j');
        const before = at.service.askedAt.length;
        await at.pass(5 * MINUTE_MS);
        expect(at.ledger.entry('j')).toMatchObject({ trouble: 'Cannot reach it.', waiting: null });
        // A probe every quarter of a minute, and a little by chance: nobody asks in a hot loop.
        expect(at.service.askedAt.length - before).toBeLessThanOrEqual(21);
        at.service.up = true;
        await at.comesTo('j', 'COMPLETED');
        expect(at.chunksOf('j')).toEqual(['1', '2', '3']);
        expect(at.ledger.detail('j')).toMatchObject({ entry: { trouble: null }, output: '"all of it"' });
      },
    );
  }

  it('loses nothing between the last chunk and the final record', async () => {
    at.service.hasLocal = false;
    at.send('j');
    at.service.change('j', { status: 'IN_PROGRESS' });
    await at.pass(1000);
    at.service.write('j', '1');
    at.service.end('j');
    // The chunk is read in this turn; the record would be in one that follows.
    await turn();
    at.service.cut();
    await at.pass(10 * MINUTE_MS);
    at.service.up = true;
    await at.comesTo('j', 'COMPLETED');
    expect(at.chunksOf('j')).toEqual(['1']);
    expect(at.ledger.output('j')).toBe('"all of it"');
  });

  it('is probed by one reader of the account, and all go on when it is back', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `j${n}`);
    for (const id of ids) at.send(id);
    await at.pass(2000);
    at.service.cut();
    await at.pass(MINUTE_MS);
    const before = at.service.askedAt.length;
    await at.pass(9 * MINUTE_MS);
    expect(at.service.askedAt.length - before).toBeLessThanOrEqual((9 * MINUTE_MS) / 15_000 + 1);
    at.service.up = true;
    for (const id of ids) at.service.end(id);
    for (const id of ids) await at.comesTo(id, 'COMPLETED');
  });

  it('is not told of any more once the job is followed again', async () => {
    at.service.hasLocal = false;
    at.send('j');
    at.service.change('j', { status: 'IN_PROGRESS' });
    await at.pass(1000);
    at.service.cut();
    await at.pass(MINUTE_MS);
    expect(at.ledger.entry('j')).toMatchObject({ trouble: 'Cannot reach it.' });
    at.service.up = true;
    await at.pass(MINUTE_MS);
    expect(at.ledger.entry('j')).toMatchObject({ status: 'IN_PROGRESS', trouble: null });
  });

  it('that lasts over a restart of the app is not told of any more, either', async () => {
    at.send('j');
    await at.pass(2000);
    at.service.cut();
    await at.pass(MINUTE_MS);
    await at.stop();
    at.service.up = true;
    at.start();
    at.streams.follow(at.ledger.entry('j'));
    await at.pass(MINUTE_MS);
    expect(at.ledger.entry('j')).toMatchObject({ status: 'IN_QUEUE', trouble: null });
  });

  it('is noted line by line, where alike lines are one', async () => {
    at.send('j');
    await at.pass(2000);
    at.service.cut();
    await at.pass(10 * MINUTE_MS);
    const lines = at.ledger.requests('j');
    expect(lines.map(({ path, status }) => [path, status])).toEqual([
      ['/jobs/j', 200],
      ['/jobs/j', null],
    ]);
    expect(lines[1]).toMatchObject({ error: 'Cannot reach it.' });
    expect(lines[1]?.times).toBeGreaterThan(10);
  });
});

describe('a machine that slept', () => {
  it('asks again at once when it wakes, however long the next try was away', async () => {
    at.send('j');
    await at.pass(2000);
    at.service.cut();
    await at.pass(5 * MINUTE_MS);
    at.service.up = true;
    at.service.write('j', '1');
    at.service.end('j');
    at.clock.jump(8 * 60 * MINUTE_MS);
    // It is noticed within 5 s; without that the next try could be 15 s away.
    await at.pass(5500);
    expect(at.ledger.entry('j')).toMatchObject({ status: 'COMPLETED' });
    expect(at.chunksOf('j')).toEqual(['1']);
  });

  it('says that a job is gone where the service forgot it meanwhile, and keeps what had come', async () => {
    at.send('j');
    at.service.change('j', { status: 'IN_PROGRESS' });
    at.service.write('j', '1');
    await at.pass(2000);
    at.service.change('j', { forgotten: true });
    at.clock.jump(8 * 60 * MINUTE_MS);
    await at.comesTo('j', 'GONE');
    expect(at.ledger.entry('j').error).toContain('no longer knows this job');
    expect(at.chunksOf('j')).toEqual(['1']);
  });

  it.each([
    ['forward', 24 * 60],
    ['back', -24 * 60],
  ])('a clock that is put %s a day holds nobody up', async (_, minutes) => {
    at.service.hasLocal = false;
    at.send('j');
    at.service.change('j', { status: 'IN_PROGRESS' });
    at.service.write('j', '1');
    await at.pass(2000);
    at.clock.jump(minutes * MINUTE_MS);
    at.service.write('j', '2');
    await at.pass(10_000);
    at.service.write('j', '3');
    at.service.end('j');
    await at.comesTo('j', 'COMPLETED');
    expect(at.chunksOf('j')).toEqual(['1', '2', '3']);
  });
});

describe('an app that ended in between', () => {
  it('goes on where the ledger stands: what was read is not read again', async () => {
    at.send('j');
    at.service.change('j', { status: 'IN_PROGRESS' });
    at.service.write('j', '1', '2');
    await at.pass(2000);
    await at.stop();
    at.start();
    at.service.write('j', '3');
    at.service.end('j');
    at.streams.follow(at.ledger.entry('j'));
    await at.comesTo('j', 'COMPLETED');
    expect(at.chunksOf('j')).toEqual(['1', '2', '3']);
  });
});

describe('a job that cannot be followed', () => {
  it('ends with the reason where its account was removed, even while that could not be reached', async () => {
    at.send('j');
    await at.pass(2000);
    at.service.cut();
    await at.pass(MINUTE_MS);
    at.compute = () => {
      throw new AppError('NOT_FOUND', 'There is no such account.');
    };
    await at.comesTo('j', 'GONE');
    expect(at.ledger.entry('j').error).toContain('account was removed');
  });

  it('ends with the reason where its key is refused, and is followed again once that is replaced', async () => {
    const refusal = new AppError('UNAUTHORIZED', 'no', { details: { status: 401 } });
    for (const id of ['j', 'k']) at.send(id);
    at.service.change('j', { status: 'IN_PROGRESS' });
    at.service.write('j', '1');
    await at.pass(2000);
    at.service.refuses = refusal;
    const before = at.service.askedAt.length;
    await at.comesTo('j', 'GONE');
    await at.comesTo('k', 'GONE');
    expect(at.ledger.entry('j').error).toContain('The key of "Work" was refused');
    // A few of those under way, then one at a time.
    expect(at.service.askedAt.length - before).toBeLessThanOrEqual(5);
    at.service.refuses = null;
    at.service.write('j', '2');
    for (const id of ['j', 'k']) at.service.end(id);
    for (const entry of at.ledger.takeUp('a')) at.streams.follow(entry);
    for (const id of ['j', 'k']) await at.comesTo(id, 'COMPLETED');
    expect(at.chunksOf('j')).toEqual(['1', '2']);
    expect(at.ledger.entry('j').error).toBeNull();
  });
});

describe('the rates of a service', () => {
  it('are kept by all readers of an endpoint together', async () => {
    at.service.hasLocal = false;
    const ids = Array.from({ length: 100 }, (_, n) => `j${n}`);
    for (const id of ids) at.send(id);
    for (const id of ids) at.service.change(id, { status: 'IN_PROGRESS' });
    for (let n = 0; n < 100; n += 1) {
      for (const id of ids) at.service.write(id, String(n));
      await at.pass(150, 50);
    }
    const { askedAt } = at.service;
    const busiest = Math.max(
      ...askedAt.map((moment, first) => askedAt.findLastIndex((other) => other < moment + 10_000) - first + 1),
    );
    // Of 2000 for /status and as many for /stream; without a bound of its own this would be 10,000.
    expect(busiest).toBeLessThanOrEqual(2 * 0.66 * 2000);
    expect(busiest).toBeGreaterThan(100);
    for (const id of ids) at.service.end(id);
    for (const id of ids) await at.comesTo(id, 'COMPLETED');
    for (const id of ids) expect(at.ledger.entry(id).chunkCount).toBe(100);
  });

  it('a Retry-After holds everybody who asks the same of that endpoint', async () => {
    at.service.hasLocal = false;
    for (const id of ['j', 'k', 'l']) at.send(id);
    await at.pass(2000);
    at.service.refuses = new AppError('TOO_MANY_REQUESTS', 'slow down', {
      retryAfterMs: 30_000,
      details: { status: 429 },
    });
    await at.pass(1000);
    at.service.refuses = null;
    const lastAskedAt = at.service.askedAt.at(-1)!;
    await at.pass(20_000);
    expect(at.service.askedAt.at(-1)).toBe(lastAskedAt);
    for (const id of ['j', 'k', 'l']) at.service.end(id);
    for (const id of ['j', 'k', 'l']) await at.comesTo(id, 'COMPLETED');
  });
});

describe('the webhooks of a job', () => {
  const delivery = (state: 'pending' | 'delivered', ...statuses: number[]): WebhookDelivery => ({
    id: 'd',
    jobId: 'j',
    endpointId: 'ep',
    url: 'https://example.test/?token=TOPSECRET',
    jobStatus: 'COMPLETED',
    state,
    createdAt: '',
    finishedAt: null,
    payloadKept: true,
    nextAttemptAt: state === 'pending' ? new Date(at.clock.now() + 10_000).toISOString() : null,
    attempts: statuses.map((status) => ({
      at: new Date(at.clock.now()).toISOString(),
      tookMs: 5,
      status,
      error: null,
    })),
  });

  it('are read until nothing more comes of them, over a cut and a restart', async () => {
    at.send('j', '{"input":{},"webhook":"https://example.test/"}');
    at.service.deliver([delivery('pending', 500)]);
    at.service.end('j');
    await at.comesTo('j', 'COMPLETED');
    await at.pass(2000);
    expect(at.ledger.webhooks('j')).toMatchObject({
      told: 'yes',
      webhooks: [{ state: 'pending', attempts: [{ status: 500 }] }],
    });
    at.service.cut();
    await at.pass(10 * MINUTE_MS);
    await at.stop();
    at.start();
    at.service.up = true;
    at.service.deliver([delivery('delivered', 500, 200)]);
    for (const entry of at.ledger.awaitingWebhooks()) at.streams.followWebhooks(entry);
    for (let n = 0; n < 40 && at.ledger.awaitsWebhooks('j'); n += 1) await at.pass(500);
    const { webhooks } = at.ledger.webhooks('j');
    expect(webhooks).toMatchObject([{ state: 'delivered', attempts: [{ status: 500 }, { status: 200 }] }]);
    expect(JSON.stringify(webhooks)).not.toContain('TOPSECRET');
  });

  it('are said not to be told where the account does not tell of them', async () => {
    at.service.hasLocal = false;
    at.send('j', '{"input":{},"webhook":"https://example.test/"}');
    at.service.end('j');
    await at.comesTo('j', 'COMPLETED');
    await at.pass(1000);
    expect(at.ledger.webhooks('j')).toEqual({ told: 'not-by-account', webhooks: [] });
  });
});
