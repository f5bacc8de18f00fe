/**
 * Readers of jobs in fake time: a service that is acted out, and a real ledger, which can be closed and opened again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { watchClock } from '../../../main/app/platform/clockJumps.ts';
import { createLedger, type Ledger } from '../../../main/app/ledger/ledger.ts';
import { createBudget } from '../../../main/app/streams/rateBudget.ts';
import type { JobSource } from '../../../main/app/streams/port.ts';
import { createCircuitBreaker, type CircuitBreaker } from '../../../main/app/streams/circuitBreaker.ts';
import { createStreams, type Streams } from '../../../main/app/streams/streams.ts';
import { createWakeup } from '../../../main/app/streams/wakeup.ts';
import { actService } from './scriptedService.ts';
import { createFakeClock, type FakeClock } from '../core/fakeClock.ts';

const MINUTE_MS = 60_000;
const logger = pino({ level: 'silent' });

export interface Outage {
  readonly clock: FakeClock;
  readonly service: ReturnType<typeof actService>;
  readonly ledger: Ledger;
  readonly streams: Streams;
  /** What an account is reached with; the service, unless a test says otherwise. */
  compute: (accountId: string) => JobSource;
  start(): void;
  stop(): Promise<void>;
  /** Lets fake time pass, with everything that is done in it. */
  pass(ms: number, stepMs?: number): Promise<void>;
  /**
   * Goes on until an entry says so; a minute of fake time is more than anything here takes. Rejects where it does not.
   */
  comesTo(entryId: string, status: string): Promise<void>;
  send(id: string, body?: string): void;
  chunksOf(id: string): string[];
  end(): Promise<void>;
}

export function startOutage(): Outage {
  const dir = mkdtempSync(join(tmpdir(), 'hangar-outages-'));
  const clock = createFakeClock();
  const service = actService(clock);

  function begin(): { ledger: Ledger; streams: Streams; reach: CircuitBreaker; stopWatching: () => void } {
    const ledger = createLedger(join(dir, 'ledger.db'), logger, 'test');
    const wakeup = createWakeup();
    const reach = createCircuitBreaker(clock, () => 0.5, wakeup);
    const streams = createStreams({
      journal: ledger,
      budget: createBudget(clock, wakeup),
      reach,
      wakeup,
      clock,
      random: () => 0.5,
      logger,
      compute: (accountId) => outage.compute(accountId),
    });
    return { ledger, streams, reach, stopWatching: watchClock(clock, () => wakeup.ring()) };
  }

  const outage: Outage = {
    clock,
    service,
    compute: () => service.source(),
    get ledger() {
      return running.ledger;
    },
    get streams() {
      return running.streams;
    },
    start() {
      running = begin();
    },
    async stop() {
      running.stopWatching();
      await running.streams.stop();
      running.reach.stop();
      running.ledger.stop();
    },
    async pass(ms, stepMs = 250) {
      for (let left = ms; left > 0; left -= stepMs) {
        clock.advance(Math.min(left, stepMs));
        await turn();
        await turn();
      }
    },
    async comesTo(entryId, status) {
      const now = () => outage.ledger.entry(entryId).status;
      for (let ms = 0; ms < MINUTE_MS && now() !== status; ms += 250) await outage.pass(250);
      if (now() !== status) throw new Error(`"${entryId}" came to ${now()}, not to ${status}`);
    },
    send(id, body = '{"input":{}}') {
      const names = { accountId: 'a', accountName: 'Work', endpointId: 'ep', endpointName: 'Ep' };
      outage.ledger.add({ entryId: id, ...names, mode: 'run', sentAt: clock.now() }, body);
      service.add(id);
      outage.streams.follow(outage.ledger.update(id, { jobId: id, status: 'IN_QUEUE' }));
    },
    chunksOf: (id) => outage.ledger.chunks(id, 0, 1000).map(({ text }) => text),
    async end() {
      await outage.stop();
      rmSync(dir, { recursive: true });
    },
  };
  let running = begin();
  return outage;
}
