/** The app as its hosts see it: starts its parts in order (parts.ts makes them), and stops them in reverse order. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';
import type { BridgeRouter } from './bridge/router.ts';
import type { PowerRelay } from './engine/powerRelay.ts';
import { makeFilesPrivate } from './platform/privateFolder.ts';
import { createSessions, type Sessions } from './services/sessions.ts';
import type { FileGrants } from './services/folders/fileGrants.ts';
import type { Transfers } from './services/transfers.ts';
import type { Uploads } from './services/uploads.ts';
import { cleanUpMoves, closeDataFolder, makeSampleEndpoints, openSecrets, startEngine } from './startup.ts';
import { removeRelocated } from './storage/move/journal.ts';
import type { AppOptions } from './appOptions.ts';
import { createParts } from './parts.ts';

export type { AppOptions } from './appOptions.ts';
export type { EngineChild, EngineExit } from './engine/engineProcess.ts';
export { EngineStartError } from './engine/engineProcess.ts';
export { SESSION_MS, type Session, type Sessions } from './services/sessions.ts';

export interface Started {
  /** Base address of the engine's API. */
  api: string;
  /** The key that the very first start creates; it can be shown only once. */
  firstKey: string | null;
}

export interface App {
  /** Implements the bridge contract; no context needed. */
  readonly router: BridgeRouter;
  /** Browsers that are paired with this data folder. */
  readonly sessions: Sessions;
  /** Rejects with EngineStartError; all parts are stopped again then. */
  start(): Promise<Started>;
  createApiKey(name: string): Promise<string>;
  /** The machine is about to sleep, woke up, or changed its power source. */
  readonly powerChanged: PowerRelay['report'];
  /** The work that a stop would interrupt, such as "2 jobs"; empty if nothing runs. Never rejects. */
  openWork(): Promise<string[]>;
  /** The running transfers of files. */
  readonly transfers: Transfers['list'];
  /** Takes a file that a browser sends in one request, for an upload that its page has begun over the bridge. */
  readonly receiveUpload: Uploads['receive'];
  /** Lets the page upload a file or a folder that a person gave to it; see `FileGrants`. */
  readonly grantFile: FileGrants['grant'];
  stop(): Promise<void>;
  /** Kills the engine immediately, for a host that must end immediately. No accepted job is lost. */
  kill(): void;
}

/** Throws EngineStartError if the data folder cannot be used. Nothing runs before `start`. */
export function createApp(options: AppOptions): App {
  const { dataDir, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const parts = createParts(options, signal);
  const { clock, ledger, secrets, dataKey, engine, directory } = parts;

  let folderClosed: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | null = null;
  async function stopAll(): Promise<void> {
    // Calls of open pages end with it: no failure to be logged.
    stopping.abort(new AppError('UNAVAILABLE', 'Hangar is stopping.'));
    await folderClosed;
    await parts.stop();
  }
  const stop = (): Promise<void> => (stopped ??= stopAll());

  return {
    router: parts.router,
    sessions: createSessions(ledger, clock),
    async start() {
      // Before the engine opens its database. The folder itself is private already, so the start does not wait for the
      // rest of its content.
      makeFilesPrivate(dataDir);
      folderClosed = closeDataFolder(dataDir, logger, signal);
      try {
        await openSecrets(secrets, dataKey, clock, signal);
        signal.throwIfAborted();
        const { address, firstKey } = await startEngine(engine, clock, signal);
        // The engine has changed the paths that it stores.
        await removeRelocated(dataDir);
        await cleanUpMoves(options.dataHost.movedFrom, logger);
        signal.throwIfAborted();
        // Only a permanent ledger remembers the samples that a person removed.
        if (parts.isLedgerKept) {
          const { management } = directory.compute(THIS_MACHINE);
          await makeSampleEndpoints({ folders: parts.samples, management, ledger, logger, stopping: signal });
        }
        signal.throwIfAborted();
        parts.sender.resume();
        parts.batches.recover();
        parts.feeds.start();
        parts.keeper.start();
        parts.watches.start();
        parts.instance.setSocket(await parts.commandSocket.listen());
        return { api: address, firstKey };
      } catch (failure) {
        await stop();
        throw failure;
      }
    },
    async createApiKey(name) {
      const { local } = directory.compute(THIS_MACHINE);
      if (local === null) throw new Error('this machine always has the local surface');
      return (await local.apiKeys.create({ name, scope: 'all' })).key;
    },
    powerChanged: parts.powerChanged,
    openWork: parts.work.list,
    transfers: parts.transfers.list,
    receiveUpload: parts.receiveUpload,
    grantFile: parts.grantFile,
    stop,
    kill: () => engine.kill(),
  };
}
