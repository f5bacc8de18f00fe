/**
 * Moves, exports and imports of a running Hangar. One at a time: it starts in the background, reports its progress, and
 * can be stopped. A move or import ends with work for which the host stops the app.
 */
import { resolve } from 'node:path';
import type { DataState } from '#contract/bridge/data/index.ts';
import { AppError } from '#contract/core/errors.ts';
import type { OwnContainer } from '#contract/local/engine.ts';
import type { Logger } from 'pino';
import { exportFolder } from './archive/exportFolder.ts';
import { dropUnpacked, unpackExport } from './archive/importFolder.ts';
import type { DatabaseSource } from './archive/snapshots.ts';
import type { Maintenance } from './maintenance.ts';
import { discardMove } from './move/journal.ts';
import { copyAhead, prepareMove } from './move/move.ts';
import { createRunner, type HostNotice } from './runner.ts';

/** The part of the host in work on the data. */
export interface DataHost {
  /** Why the host cannot move the data while it runs, with what to do; null if it can. */
  moveProblem: string | null;
  /** Folders that name the data folder as the place that the data was moved to. */
  movedFrom: readonly string[];
  /** Whether the data folder is the default one, which the desktop program uses, too. */
  isDefault: boolean;
  /** What the work of the host before this run has to say; null if there was none. */
  notice: HostNotice | null;
  /** Stops the app, does the work, and starts the app again. */
  perform(work: Maintenance): void;
  /** Shows a path in the file manager; absent without a desktop. */
  open?: (path: string) => Promise<void>;
}

export interface DataWorkOptions {
  dataDir: string;
  version: string;
  host: DataHost;
  databases: DatabaseSource;
  /** The containers of the data folder. Rejects if they are unknown. */
  containers: () => Promise<OwnContainer[]>;
  /** Removes the containers, whose mounts lead into the old folder. */
  removeContainers: () => Promise<void>;
  logger: Logger;
  /** Ends the work when the app stops. */
  stopping: AbortSignal;
}

export interface DataWorks {
  state(): DataState;
  /** Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  move(to: string): Promise<DataState>;
  discardMove(): Promise<DataState>;
  export(file: string): Promise<DataState>;
  import(file: string): Promise<DataState>;
  /** Resolves after the work has stopped. */
  stop(): Promise<DataState>;
}

export function createDataWorks(options: DataWorkOptions): DataWorks {
  const { dataDir, version, host, databases, logger, stopping } = options;
  const runner = createRunner(options);

  async function requireNoPods(): Promise<void> {
    // Without an answer of the container engine, no container of it can write either.
    const own = await options.containers().catch(() => []);
    const running = own.filter(({ isRunning, isPod }) => isRunning && isPod);
    if (running.length === 0) return;
    const names = running.map(({ name }) => name).join(', ');
    throw new AppError('CONFLICT', `Pods run and write into the data folder: ${names}. Stop them first.`);
  }

  function handOver(maintenance: Maintenance): null {
    runner.handOver();
    host.perform(maintenance);
    return null;
  }

  return {
    state: runner.state,
    onChange: runner.onChange,
    stop: runner.stop,
    async move(target) {
      runner.requireIdle();
      if (host.moveProblem !== null) throw new AppError('UNSUPPORTED', host.moveProblem);
      const to = resolve(target);
      await requireNoPods();
      const plan = await prepareMove(dataDir, to, stopping);
      runner.requireIdle();
      return runner.begin('move', to, async (onProgress, signal) => {
        await copyAhead(plan, onProgress, signal);
        await requireNoPods();
        signal.throwIfAborted();
        await options.removeContainers().catch((err: unknown) => logger.warn({ err }, 'containers stay behind'));
        return handOver({ kind: 'move', plan });
      });
    },
    async discardMove() {
      runner.requireIdle();
      await discardMove(dataDir);
      return runner.changed();
    },
    export(file) {
      runner.requireIdle();
      const path = resolve(file);
      const started = runner.begin('export', path, async (onProgress, signal) => {
        const exported = await exportFolder({ dataDir, file: path, version, databases, onProgress, signal });
        const [first, ...others] = exported.unreadable;
        const more = others.length === 0 ? '' : ` and ${others.length} more`;
        const missing = first === undefined ? '' : ` Not in it, because it could not be read: ${first}${more}.`;
        return `It is in ${path}. Not in it: ${exported.leftOut.join('; ')}.${missing}`;
      });
      return Promise.resolve(started);
    },
    async import(file) {
      runner.requireIdle();
      const path = resolve(file);
      await requireNoPods();
      runner.requireIdle();
      return runner.begin('import', path, async (onProgress, signal) => {
        await unpackExport({ dataDir, file: path, version, onProgress, signal });
        try {
          signal.throwIfAborted();
          await requireNoPods();
        } catch (thrown) {
          await dropUnpacked(dataDir);
          throw thrown;
        }
        return handOver({ kind: 'import', file: path });
      });
    },
  };
}
