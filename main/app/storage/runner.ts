/** Runs one piece of work on the data at a time, with its progress, its stop, and its end. */
import type { DataState, DataWork } from '#contract/bridge/data/index.ts';
import { AppError, errorStatus, messageOf } from '#contract/core/errors.ts';
import type { Logger } from 'pino';
import { readMoving } from './move/journal.ts';
import type { Progress } from './progress.ts';

type Kind = DataWork['kind'];

/** How the work of the host ended. */
export interface HostNotice {
  kind: 'move' | 'import';
  path: string;
  message: string;
  isDone: boolean;
}

export interface RunnerOptions {
  dataDir: string;
  host: { moveProblem: string | null; notice: HostNotice | null };
  logger: Logger;
  /** Ends the work when the app stops. */
  stopping: AbortSignal;
}

export interface Runner {
  state(): DataState;
  onChange(listener: () => void): () => void;
  /** Calls the listeners, and returns the state. */
  changed(): DataState;
  /** Throws CONFLICT while work is under way. */
  requireIdle(): void;
  /** Starts work in the background. `run` resolves to the sentence about its success; null if the host goes on. */
  begin(
    kind: Kind,
    path: string,
    run: (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<string | null>,
  ): DataState;
  /** From now on the host works, and nothing can be stopped. */
  handOver(): void;
  /** Resolves after the work has stopped. */
  stop(): Promise<DataState>;
}

const stoppedTexts: Record<Kind, string> = {
  move: 'Everything is still in the old folder. What was copied helps the next try.',
  export: 'Its file was removed.',
  import: 'Nothing was changed.',
};

const toLast = ({ isDone, ...notice }: HostNotice): DataState['last'] => ({
  ...notice,
  outcome: isDone ? 'done' : 'failed',
});

const newWork = (kind: Kind, path: string): DataWork => ({
  kind,
  path,
  phase: 'counting',
  doneBytes: 0,
  totalBytes: 0,
  doneFiles: 0,
  totalFiles: 0,
  startedAt: new Date().toISOString(),
});

export function createRunner({ dataDir, host, logger, stopping }: RunnerOptions): Runner {
  const listeners = new Set<() => void>();
  let current: { work: DataWork; stop: AbortController; ended: Promise<void> } | null = null;
  let last: DataState['last'] = host.notice === null ? null : toLast(host.notice);

  const state = (): DataState => ({
    work: current?.work ?? null,
    last,
    unfinishedMove: current?.work.kind === 'move' ? null : (readMoving(dataDir)?.to ?? null),
    moveProblem: host.moveProblem,
  });
  const changed = (): DataState => {
    for (const listener of listeners) listener();
    return state();
  };

  return {
    state,
    changed,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    requireIdle() {
      if (current === null) return;
      throw new AppError('CONFLICT', 'Other work on the data is in progress. Wait for it to finish, or stop it.');
    },
    begin(kind, path, run) {
      const stop = new AbortController();
      async function follow(): Promise<void> {
        try {
          const message = await run(
            (progress) => {
              if (current === null) return;
              current.work = { ...current.work, ...progress, phase: 'copying' };
              changed();
            },
            AbortSignal.any([stop.signal, stopping]),
          );
          if (message === null) return;
          last = { kind, path, outcome: 'done', message };
        } catch (thrown) {
          if (stopping.aborted) return;
          // A refusal, such as a file that exists, is for the person who asked. The log has failures.
          const isRefusal = thrown instanceof AppError && errorStatus[thrown.code] < 500;
          if (isRefusal) logger.debug({ kind, path, reason: thrown.message }, 'work on the data was refused');
          else if (!stop.signal.aborted) logger.warn({ err: thrown, kind, path }, 'work on the data failed');
          last = stop.signal.aborted
            ? { kind, path, outcome: 'stopped', message: stoppedTexts[kind] }
            : { kind, path, outcome: 'failed', message: messageOf(thrown) };
        }
        current = null;
        changed();
      }
      last = null;
      current = { work: newWork(kind, path), stop, ended: Promise.resolve() };
      current.ended = follow();
      return changed();
    },
    handOver() {
      if (current !== null) current.work = { ...current.work, phase: 'finishing' };
      changed();
    },
    async stop() {
      if (current?.work.phase === 'finishing') {
        throw new AppError(
          'CONFLICT',
          'Hangar is starting again with the data in its new place. This cannot be stopped.',
        );
      }
      current?.stop.abort(new Error('It was stopped.'));
      await current?.ended;
      return state();
    },
  };
}
