/** The asynchronous steps of a start: keys, the engine, the sample endpoints, the permissions of files. */
import { limits } from '#contract/core/limits.ts';
import type { Logger } from 'pino';
import { EngineStartError, type EngineProcess, type EngineReady } from './engine/engineProcess.ts';
import type { Ledger } from './ledger/ledger.ts';
import { pause, type Clock } from './platform/clock.ts';
import { makeContentPrivate } from './platform/privateFolder.ts';
import type { DataKey } from './secrets/dataKey.ts';
import type { Secrets } from './secrets/secrets.ts';
import { emptyOldFolder } from './storage/move/move.ts';
import { madeSchema, makeSamples, type SampleFolders, type SampleManagement } from './services/samples.ts';

/** An engine whose host was killed ends by itself within this time. */
const LEFTOVER_ENGINE_MS = 10_000;
const LEFTOVER_RETRY_MS = 250;

/**
 * Opens the store of keys, for at most `limits.secrets.startMs`. A keychain that shows a prompt or hangs may answer
 * later.
 */
export async function openSecrets(
  secrets: Pick<Secrets, 'start'>,
  dataKey: Pick<DataKey, 'load'>,
  clock: Clock,
  stopping: AbortSignal,
): Promise<void> {
  const opened = secrets.start().then(dataKey.load);
  const waited = new AbortController();
  await Promise.race([opened, pause(clock, limits.secrets.startMs, AbortSignal.any([waited.signal, stopping]))]);
  waited.abort();
}

/**
 * Starts the engine. This process has the ledger's lock, so another engine that still uses the data belongs to a killed
 * host and is ending: the start is repeated until it has ended. Rejects with EngineStartError.
 */
export async function startEngine(
  engine: Pick<EngineProcess, 'start'>,
  clock: Clock,
  stopping: AbortSignal,
): Promise<EngineReady> {
  const giveUpAt = clock.now() + LEFTOVER_ENGINE_MS;
  for (;;) {
    try {
      return await engine.start();
    } catch (failure) {
      const isLeftover = failure instanceof EngineStartError && failure.failure === 'data-in-use';
      if (!isLeftover || stopping.aborted || clock.now() > giveUpAt) throw failure;
      await pause(clock, LEFTOVER_RETRY_MS, stopping);
    }
  }
}

export interface SampleEndpointsOptions {
  folders: SampleFolders;
  management: SampleManagement;
  /** Remembers the created samples, so that a removed sample is not created again. */
  ledger: Pick<Ledger, 'meta' | 'setMeta'>;
  logger: Logger;
  stopping: AbortSignal;
}

/** Creates the missing sample endpoints. Never rejects: Hangar works without them, and the next start tries again. */
export async function makeSampleEndpoints(options: SampleEndpointsOptions): Promise<void> {
  const { folders, management, ledger, logger, stopping } = options;
  try {
    await makeSamples({
      ...folders,
      management,
      made: {
        read: () => ledger.meta('samples', madeSchema),
        write: (names) => ledger.setMeta('samples', names),
      },
      logger,
    });
  } catch (thrown) {
    if (stopping.aborted) return;
    logger.warn({ err: thrown }, 'not every sample endpoint could be made');
  }
}

/** Makes the content of the data folder private, and logs the files for which that failed. Never rejects. */
export async function closeDataFolder(dataDir: string, logger: Logger, stopping: AbortSignal): Promise<void> {
  const open = await makeContentPrivate(dataDir, stopping);
  if (open.length === 0) return;
  logger.warn(
    { count: open.length, some: open.slice(0, 5) },
    'other users of this machine may read files of the data folder: their permissions could not be changed, or a folder not listed',
  );
}

/** Empties the old folders of moves that were cut off at their end. Never rejects. */
export async function cleanUpMoves(movedFrom: readonly string[], logger: Logger): Promise<void> {
  for (const folder of movedFrom) {
    try {
      const left = await emptyOldFolder(folder);
      if (left.length > 0) logger.warn({ left }, 'the old data folder could not be emptied');
    } catch (err) {
      logger.debug({ err, folder }, 'the old data folder cannot be listed');
    }
  }
}
