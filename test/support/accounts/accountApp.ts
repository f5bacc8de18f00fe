/**
 * The accounts of an app on a folder of their own, put together as the app does, with keys in memory and no engine of
 * its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createAccountChanges, type AccountChanges } from '../../../main/app/services/accounts/accountService.ts';
import { openAccountFile } from '../../../main/app/accounts/accountFile.ts';
import { createAccountRepository, type AccountRepository } from '../../../main/app/accounts/repository.ts';
import { createLedger } from '../../../main/app/ledger/ledger.ts';
import { createComebacks } from '../../../main/app/services/reconnector.ts';
import { askWhetherThere } from '../../../main/app/services/accounts/capabilityProbe.ts';
import { systemClock, type Clock } from '../../../main/app/platform/clock.ts';
import { createDirectory, type Directory } from '../../../main/app/services/directory.ts';
import { createMemoryStore } from '../../../main/app/secrets/memory.ts';
import type { SecretStore } from '../../../main/app/secrets/secretStore.ts';
import { createCircuitBreaker } from '../../../main/app/streams/circuitBreaker.ts';
import { createWakeup } from '../../../main/app/streams/wakeup.ts';
import { engineStatusOf } from './engineStatus.ts';
import { createRandom, testSeed } from '../core/random.ts';

const stopped = engineStatusOf({ state: 'stopped', address: null });

export interface AccountApp extends AsyncDisposable {
  readonly dataDir: string;
  readonly directory: Directory;
  readonly changes: AccountChanges;
  readonly kept: AccountRepository;
  readonly secrets: SecretStore;
  readonly notice: string | null;
  /** Its clock shows so much more from now on; what is due then is not run. */
  putForward(ms: number): void;
  /** Ends it and begins again on the same folder, with the keys that are there. */
  restart(): Promise<void>;
}

/** `secrets`: where its keys are kept; else in memory, as though that were a keychain. */
export function startAccountApp(secrets: SecretStore = { ...createMemoryStore(), kind: 'keychain' }): AccountApp {
  const dataDir = mkdtempSync(join(tmpdir(), 'hangar-accounts-'));
  const logger = pino({ level: 'silent' });
  let ahead = 0;
  const clock: Clock = { now: () => systemClock.now() + ahead, after: (ms, run) => systemClock.after(ms, run) };

  function begin() {
    const file = openAccountFile(dataDir, () => clock.now());
    const repository = createAccountRepository(file, clock, logger);
    const stopping = new AbortController();
    const engine = { status: stopped, onStatus: () => () => undefined };
    const ledger = createLedger(':memory:', logger, '1.2.3');
    const directory = createDirectory({
      engine,
      runKey: 'none',
      repository,
      secrets,
      ledger,
      clock,
      logger,
    });
    const changes = createAccountChanges({
      directory,
      repository,
      secrets,
      clock,
      logger,
      stopping: stopping.signal,
      // Nothing but accounts is put together here.
      leave: () => Promise.resolve(),
    });
    const reach = createCircuitBreaker(clock, createRandom(testSeed).fraction, createWakeup());
    const comebacks = createComebacks({
      repository,
      reach,
      clock,
      logger,
      ask: ({ id, capabilities }) => askWhetherThere(directory.compute(id), capabilities),
    });
    const stop = async (): Promise<void> => {
      stopping.abort(new Error('the test is over'));
      await comebacks.stop();
      reach.stop();
      await changes.stop();
      await directory.stop();
      ledger.stop();
      repository.stop();
    };
    return { kept: repository, directory, changes, notice: file.notice, stop };
  }
  let running = begin();

  return {
    dataDir,
    secrets,
    get directory() {
      return running.directory;
    },
    get changes() {
      return running.changes;
    },
    get kept() {
      return running.kept;
    },
    get notice() {
      return running.notice;
    },
    putForward(ms) {
      ahead += ms;
    },
    async restart() {
      await running.stop();
      running = begin();
    },
    async [Symbol.asyncDispose]() {
      await running.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
