/**
 * What sends and follows jobs of the accounts of a test, put together as the app does: a real ledger, readers and
 * sender.
 */
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../../../main/app/platform/clock.ts';
import { createLedger, type Ledger } from '../../../main/app/ledger/ledger.ts';
import { createSender, type Sender } from '../../../main/app/services/jobs/jobService.ts';
import { createBudget } from '../../../main/app/streams/rateBudget.ts';
import { createCircuitBreaker } from '../../../main/app/streams/circuitBreaker.ts';
import { createStreams } from '../../../main/app/streams/streams.ts';
import { createWakeup } from '../../../main/app/streams/wakeup.ts';
import type { AccountApp } from './accountApp.ts';
import { createRandom, testSeed } from '../core/random.ts';

export interface FollowedJobs extends AsyncDisposable {
  readonly ledger: Ledger;
  readonly sender: Sender;
}

export function followJobs({ dataDir, directory }: Pick<AccountApp, 'dataDir' | 'directory'>): FollowedJobs {
  const logger = pino({ level: 'silent' });
  const clock = systemClock;
  const ledger = createLedger(join(dataDir, 'ledger.db'), logger, 'test');
  const stopping = new AbortController();
  const wakeup = createWakeup();
  const budget = createBudget(clock, wakeup);
  const random = createRandom(testSeed).fraction;
  const reach = createCircuitBreaker(clock, random, wakeup);
  const streams = createStreams({
    journal: ledger,
    budget,
    reach,
    wakeup,
    clock,
    random,
    logger,
    compute: (accountId) => directory.compute(accountId),
  });
  const sender = createSender({ directory, ledger, streams, budget, clock, logger, stopping: stopping.signal });
  return {
    ledger,
    sender,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await streams.stop();
      reach.stop();
      ledger.stop();
    },
  };
}
