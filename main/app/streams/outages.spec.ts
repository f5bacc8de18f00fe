/** Rules of following jobs through cuts, sleeps and clocks that jump: a service that is acted out, a real ledger, fake time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { WebhookDelivery } from '#contract/webhook.ts';
import { actService } from '../../../test/support/actedService.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fakeClock.ts';
import { watchClock } from '../clockWatch.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { createBudget } from './budget.ts';
import type { JobSource } from './journal.ts';
import { createReach, type Reach } from './reach.ts';
import { createStreams, type Streams } from './streams.ts';
import { createWakeup } from './wakeup.ts';

const MINUTE_MS = 60_000;
const logger = pino({ level: 'silent' });

let dir: string;
let clock: FakeClock;
let ledger: Ledger;
let streams: Streams;
let reach: Reach;
let service: ReturnType<typeof actService>;
let compute: (accountId: string) => JobSource;
let stopWatching: () => void;

function start(): void {
  ledger = createLedger(join(dir, 'ledger.db'), logger, 'test');
  const wakeup = createWakeup();
  reach = createReach(clock, () => 0.5, wakeup);
  streams = createStreams({
    ...{ journal: ledger, budget: createBudget(clock, wakeup), reach, wakeup, clock, random: () => 0.5, logger },
    compute: (accountId) => compute(accountId),
  });
  stopWatching = watchClock(clock, () => wakeup.ring());
}
async function stop(): Promise<void> {
  stopWatching();
  await streams.stop();
  reach.stop();
  ledger.stop();
}
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-outages-'));
  clock = createFakeClock();
  service = actService(clock);
  compute = () => service.source();
  start();
});
afterEach(async () => {
  await stop();
  rmSync(dir, { recursive: true });
});

/** Lets fake time pass, with everything that is done in it. */
async function pass(ms: number, stepMs = 250): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    clock.advance(Math.min(left, stepMs));
    await turn();
    await turn();
  }
}
/** Goes on until an entry says so; a minute of fake time is more than anything here takes. */
async function comesTo(entryId: string, status: string): Promise<void> {
  for (let ms = 0; ms < MINUTE_MS && ledger.entry(entryId).status !== status; ms += 250) await pass(250);
  expect(ledger.entry(entryId)).toMatchObject({ status });
}
function send(id: string, body = '{"input":{}}'): void {
  const names = { accountId: 'a', accountName: 'Work', endpointId: 'ep', endpointName: 'Ep' };
  ledger.add({ entryId: id, ...names, mode: 'run', sentAt: clock.now() }, body);
  service.add(id);
  streams.follow(ledger.update(id, { jobId: id, status: 'IN_QUEUE' }));
}
const chunksOf = (id: string): string[] => ledger.chunks(id, 0, 1000).map(({ text }) => text);

/** Brings a job to where the line is cut, and says what is still to come of it. */
const moments: Record<string, (id: string) => Promise<string[]>> = {
  'while it waits': async () => {
    await pass(2000);
    return ['1', '2', '3'];
  },
  'as it starts': async (id) => {
    service.change(id, { status: 'IN_PROGRESS' });
    return ['1', '2', '3'];
  },
  'while a poll of its stream is held open': async (id) => {
    service.change(id, { status: 'IN_PROGRESS' });
    await pass(2000);
    return ['1', '2', '3'];
  },
  'in the middle of its stream': async (id) => {
    service.change(id, { status: 'IN_PROGRESS' });
    await pass(1000);
    service.write(id, '1', '2');
    await pass(1000);
    expect(chunksOf(id)).toEqual(['1', '2']);
    return ['3'];
  },
  'with chunks that were not read': async (id) => {
    service.change(id, { status: 'IN_PROGRESS' });
    await pass(1000);
    service.cut();
    service.write(id, '1', '2');
    return ['3'];
  },
};

describe('a network that is cut for ten minutes', () => {
  for (const hasLocal of [true, false]) {
    const where = hasLocal ? 'an engine' : 'a cloud';
    it.each(Object.entries(moments))(
      `loses nothing and reads nothing twice of a job of ${where}: %s`,
      async (_, bring) => {
        service.hasLocal = hasLocal;
        send('j');
        const rest = await bring('j');
        service.cut();
        await pass(5 * MINUTE_MS);
        service.change('j', { status: 'IN_PROGRESS' });
        service.write('j', ...rest);
        service.end('j');
        const before = service.askedAt.length;
        await pass(5 * MINUTE_MS);
        expect(ledger.entry('j')).toMatchObject({ waiting: expect.stringContaining('Cannot reach it.') });
        // A probe every quarter of a minute, and a little by chance: nobody asks in a hot loop.
        expect(service.askedAt.length - before).toBeLessThanOrEqual(21);
        service.up = true;
        await comesTo('j', 'COMPLETED');
        expect(chunksOf('j')).toEqual(['1', '2', '3']);
        expect(ledger.detail('j')).toMatchObject({ entry: { waiting: null }, output: '"all of it"' });
      },
    );
  }

  it('loses nothing between the last chunk and the final record', async () => {
    service.hasLocal = false;
    send('j');
    service.change('j', { status: 'IN_PROGRESS' });
    await pass(1000);
    service.write('j', '1');
    service.end('j');
    // The chunk is read in this turn; the record would be in one that follows.
    await turn();
    service.cut();
    await pass(10 * MINUTE_MS);
    service.up = true;
    await comesTo('j', 'COMPLETED');
    expect(chunksOf('j')).toEqual(['1']);
    expect(ledger.output('j')).toBe('"all of it"');
  });

  it('is probed by one reader of the account, and all go on when it is back', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `j${n}`);
    for (const id of ids) send(id);
    await pass(2000);
    service.cut();
    await pass(MINUTE_MS);
    const before = service.askedAt.length;
    await pass(9 * MINUTE_MS);
    expect(service.askedAt.length - before).toBeLessThanOrEqual((9 * MINUTE_MS) / 15_000 + 1);
    service.up = true;
    for (const id of ids) service.end(id);
    for (const id of ids) await comesTo(id, 'COMPLETED');
  });

  it('is noted line by line, where alike lines are one', async () => {
    send('j');
    await pass(2000);
    service.cut();
    await pass(10 * MINUTE_MS);
    const lines = ledger.requests('j');
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
    send('j');
    await pass(2000);
    service.cut();
    await pass(5 * MINUTE_MS);
    service.up = true;
    service.write('j', '1');
    service.end('j');
    clock.jump(8 * 60 * MINUTE_MS);
    // It is noticed within 5 s; without that the next try could be 15 s away.
    await pass(5500);
    expect(ledger.entry('j')).toMatchObject({ status: 'COMPLETED' });
    expect(chunksOf('j')).toEqual(['1']);
  });

  it('says that a job is gone where the service forgot it meanwhile, and keeps what had come', async () => {
    send('j');
    service.change('j', { status: 'IN_PROGRESS' });
    service.write('j', '1');
    await pass(2000);
    service.change('j', { forgotten: true });
    clock.jump(8 * 60 * MINUTE_MS);
    await comesTo('j', 'GONE');
    expect(ledger.entry('j').error).toContain('no longer knows this job');
    expect(chunksOf('j')).toEqual(['1']);
  });

  it.each([
    ['forward', 24 * 60],
    ['back', -24 * 60],
  ])('a clock that is put %s a day holds nobody up', async (_, minutes) => {
    service.hasLocal = false;
    send('j');
    service.change('j', { status: 'IN_PROGRESS' });
    service.write('j', '1');
    await pass(2000);
    clock.jump(minutes * MINUTE_MS);
    service.write('j', '2');
    await pass(10_000);
    service.write('j', '3');
    service.end('j');
    await comesTo('j', 'COMPLETED');
    expect(chunksOf('j')).toEqual(['1', '2', '3']);
  });
});

describe('an app that ended in between', () => {
  it('goes on where the ledger stands: what was read is not read again', async () => {
    send('j');
    service.change('j', { status: 'IN_PROGRESS' });
    service.write('j', '1', '2');
    await pass(2000);
    await stop();
    start();
    service.write('j', '3');
    service.end('j');
    streams.follow(ledger.entry('j'));
    await comesTo('j', 'COMPLETED');
    expect(chunksOf('j')).toEqual(['1', '2', '3']);
  });
});

describe('a job that cannot be followed', () => {
  it('ends with the reason where its account was removed, even while that could not be reached', async () => {
    send('j');
    await pass(2000);
    service.cut();
    await pass(MINUTE_MS);
    compute = () => {
      throw new AppError('NOT_FOUND', 'There is no such account.');
    };
    await comesTo('j', 'GONE');
    expect(ledger.entry('j').error).toContain('account was removed');
  });

  it('ends with the reason where its key is refused, and is followed again once that is replaced', async () => {
    const refusal = new AppError('UNAUTHORIZED', 'no', { details: { status: 401 } });
    for (const id of ['j', 'k']) send(id);
    service.change('j', { status: 'IN_PROGRESS' });
    service.write('j', '1');
    await pass(2000);
    service.refuses = refusal;
    const before = service.askedAt.length;
    await comesTo('j', 'GONE');
    await comesTo('k', 'GONE');
    expect(ledger.entry('j').error).toContain('The key of "Work" was refused');
    // A few of those under way, then one at a time.
    expect(service.askedAt.length - before).toBeLessThanOrEqual(5);
    service.refuses = null;
    service.write('j', '2');
    for (const id of ['j', 'k']) service.end(id);
    for (const entry of ledger.takeUp('a')) streams.follow(entry);
    for (const id of ['j', 'k']) await comesTo(id, 'COMPLETED');
    expect(chunksOf('j')).toEqual(['1', '2']);
    expect(ledger.entry('j').error).toBeNull();
  });
});

describe('the rates of a service', () => {
  it('are kept by all readers of an endpoint together', async () => {
    service.hasLocal = false;
    const ids = Array.from({ length: 100 }, (_, n) => `j${n}`);
    for (const id of ids) send(id);
    for (const id of ids) service.change(id, { status: 'IN_PROGRESS' });
    for (let n = 0; n < 100; n += 1) {
      for (const id of ids) service.write(id, String(n));
      await pass(150, 50);
    }
    const { askedAt } = service;
    const busiest = Math.max(
      ...askedAt.map((at, first) => askedAt.findLastIndex((other) => other < at + 10_000) - first + 1),
    );
    // Of 2000 for /status and as many for /stream; without a bound of its own this would be 10,000.
    expect(busiest).toBeLessThanOrEqual(2 * 0.66 * 2000);
    expect(busiest).toBeGreaterThan(100);
    for (const id of ids) service.end(id);
    for (const id of ids) await comesTo(id, 'COMPLETED');
    for (const id of ids) expect(ledger.entry(id).chunkCount).toBe(100);
  });

  it('a Retry-After holds everybody who asks the same of that endpoint', async () => {
    service.hasLocal = false;
    for (const id of ['j', 'k', 'l']) send(id);
    await pass(2000);
    service.refuses = new AppError('TOO_MANY_REQUESTS', 'slow down', {
      retryAfterMs: 30_000,
      details: { status: 429 },
    });
    await pass(1000);
    service.refuses = null;
    const held = service.askedAt.at(-1)!;
    await pass(20_000);
    expect(service.askedAt.at(-1)).toBe(held);
    for (const id of ['j', 'k', 'l']) service.end(id);
    for (const id of ['j', 'k', 'l']) await comesTo(id, 'COMPLETED');
  });
});

describe('the webhooks of a job', () => {
  const delivery = (state: 'pending' | 'delivered', ...statuses: number[]): WebhookDelivery => ({
    ...{ id: 'd', jobId: 'j', endpointId: 'ep', url: 'https://example.test/?token=TOPSECRET', jobStatus: 'COMPLETED' },
    ...{ state, createdAt: '', finishedAt: null, payloadKept: true },
    nextAttemptAt: state === 'pending' ? new Date(clock.now() + 10_000).toISOString() : null,
    attempts: statuses.map((status) => ({ at: new Date(clock.now()).toISOString(), tookMs: 5, status, error: null })),
  });

  it('are read until nothing more comes of them, over a cut and a restart', async () => {
    send('j', '{"input":{},"webhook":"https://example.test/"}');
    service.deliver([delivery('pending', 500)]);
    service.end('j');
    await comesTo('j', 'COMPLETED');
    await pass(2000);
    expect(ledger.webhooks('j')).toMatchObject({
      told: 'yes',
      webhooks: [{ state: 'pending', attempts: [{ status: 500 }] }],
    });
    service.cut();
    await pass(10 * MINUTE_MS);
    await stop();
    start();
    service.up = true;
    service.deliver([delivery('delivered', 500, 200)]);
    for (const entry of ledger.awaitingWebhooks()) streams.followWebhooks(entry);
    for (let n = 0; n < 40 && ledger.awaitsWebhooks('j'); n += 1) await pass(500);
    const { webhooks } = ledger.webhooks('j');
    expect(webhooks).toMatchObject([{ state: 'delivered', attempts: [{ status: 500 }, { status: 200 }] }]);
    expect(JSON.stringify(webhooks)).not.toContain('TOPSECRET');
  });

  it('are said not to be told where the account does not tell of them', async () => {
    service.hasLocal = false;
    send('j', '{"input":{},"webhook":"https://example.test/"}');
    service.end('j');
    await comesTo('j', 'COMPLETED');
    await pass(1000);
    expect(ledger.webhooks('j')).toEqual({ told: 'not-by-account', webhooks: [] });
  });
});

describe('an answer with chunks that breaks off on its way', () => {
  /** Of four chunks the third is lost. */
  async function loseOne(): Promise<void> {
    send('j');
    service.change('j', { status: 'IN_PROGRESS' });
    await pass(1000);
    service.write('j', '1', '2');
    await pass(2000);
    service.breaksOff = 1;
    service.write('j', '3');
    await pass(5000);
    service.write('j', '4');
    await pass(5000);
    expect(chunksOf('j')).toEqual(['1', '2', '4']);
    expect(ledger.entry('j')).toMatchObject({ chunkGap: 'possible' });
  }

  it('leaves no gap where the output is the list of all chunks', async () => {
    await loseOne();
    service.end('j', '[1,2,3,4]');
    await comesTo('j', 'COMPLETED');
    expect(chunksOf('j')).toEqual(['1', '2', '3', '4']);
    expect(ledger.entry('j')).toMatchObject({ chunkGap: 'filled', chunkCount: 4, outputBytes: 4 + 9 });
    expect(ledger.output('j')).toBe('[1,2,3,4]');
  });

  it('is told where the output does not say what was lost', async () => {
    await loseOne();
    service.end('j', null);
    await comesTo('j', 'COMPLETED');
    expect(chunksOf('j')).toEqual(['1', '2', '4']);
    expect(ledger.entry('j')).toMatchObject({ chunkGap: 'possible', chunkCount: 3 });
  });

  it('leaves none either where the app itself ended while it was on its way', async () => {
    send('j');
    service.change('j', { status: 'IN_PROGRESS' });
    await pass(1000);
    service.write('j', '1');
    await pass(2000);
    await stop();
    service.write('j', '2');
    await service.source().jobs.stream('ep', 'j', 0);
    service.write('j', '3');
    start();
    streams.follow(ledger.entry('j'));
    await pass(2000);
    service.end('j', '[1,2,3]');
    await comesTo('j', 'COMPLETED');
    expect(chunksOf('j')).toEqual(['1', '2', '3']);
  });

  it('is not held against a job that streams nothing', async () => {
    send('j');
    service.change('j', { status: 'IN_PROGRESS' });
    await pass(1000);
    service.refuses = new AppError('UNAVAILABLE', 'The connection broke.', { details: { sent: 'maybe' } });
    service.write('j');
    await pass(30_000);
    expect(ledger.entry('j')).toMatchObject({ chunkGap: 'possible' });
    service.refuses = null;
    service.end('j');
    await comesTo('j', 'COMPLETED');
    expect(ledger.entry('j')).toMatchObject({ chunkGap: null });
  });
});

describe('an account that is removed', () => {
  it.each(['while it is read', 'while it waits for the network'])(
    'ends its jobs as gone at once, with what came of them: %s',
    async (when) => {
      send('j');
      service.change('j', { status: 'IN_PROGRESS' });
      await pass(1000);
      service.write('j', '1', '2');
      await pass(2000);
      if (when !== 'while it is read') {
        service.cut();
        await pass(MINUTE_MS);
      }
      compute = () => {
        throw new AppError('NOT_FOUND', 'There is no such account.');
      };
      await streams.leave('a');
      expect(ledger.entry('j')).toMatchObject({ status: 'GONE', waiting: null, chunkCount: 2 });
      expect(ledger.entry('j').error).toMatch(/^Its account was removed/);
    },
  );

  it('leaves the jobs of the others alone', async () => {
    send('j');
    await pass(1000);
    await streams.leave('b');
    await pass(1000);
    expect(ledger.entry('j')).toMatchObject({ status: 'IN_QUEUE' });
  });
});
