/** Collects the crashes of all parts of the program: a report file for each one, and a notice for each part. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crashNoticeSchema, type CrashedPart, type CrashNotice } from '#contract/app/crash.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Logger } from 'pino';
import type { Cancel, Clock } from '../platform/clock.ts';
import { reportsFolder, writeReport, type CrashFacts, type ReportOptions } from './report.ts';

export interface Crashes {
  /**
   * Notes a crash. Its report is written a moment later, and the notice follows. Never throws. An end that a person or
   * the system requested is no crash.
   */
  record(crash: CrashFacts): void;
  /**
   * The same for a crash of this process: writes the report before it returns, because the process may end. The next
   * run has the notice, too, until the person dismisses it. Equal crashes within a minute are counted in one report.
   */
  recordNow(crash: CrashFacts): void;
  /**
   * Notes that the last run of this process was killed, or ended with the power, while so many jobs ran here. It has no
   * report. Without such jobs, and where the last run noted its own crash, there is nothing to say.
   */
  recordKilled(runningJobs: number): void;
  /** One for each part that crashed and whose notice was not dismissed, the oldest first. */
  notices(): readonly CrashNotice[];
  /** Calls the listener after each change of the notices. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Removes the notice of the part; the report stays. */
  dismiss(part: CrashedPart): void;
  /** The text of the last report of the part. Throws NOT_FOUND if there is none, or if it was removed. */
  report(part: CrashedPart): string;
  /** Writes the reports that are due. Later crashes are not noted. */
  stop(): void;
}

export interface CrashesOptions extends ReportOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Signals by which a person or the end of a session requests an end; SIGKILL also comes from a system without memory.
 */
const REQUESTS: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP']);

const wasRequested = ({ code, signal }: CrashFacts['exit']): boolean => code === 0 || REQUESTS.has(signal ?? '');

/** The last output of a process can arrive after the news of its end; it belongs to the report. */
const OUTPUT_MS = 300;

/** An error of a loop would otherwise write a report each time. */
const SAME_MS = 60_000;

/** Keeps the notice about a crash of this process for its next run. */
const undismissedFile = (dataDir: string): string => join(reportsFolder(dataDir), 'undismissed.json');

function readUndismissed(dataDir: string): CrashNotice[] {
  try {
    return [crashNoticeSchema.parse(JSON.parse(readFileSync(undismissedFile(dataDir), 'utf8')))];
  } catch {
    // There is none, or the crash also cut off its file.
    return [];
  }
}

export function createCrashes({ clock, logger, ...options }: CrashesOptions): Crashes {
  const listeners = new Set<() => void>();
  const due = new Map<() => void, Cancel>();
  let current = readUndismissed(options.dataDir);
  let isStopped = false;

  function change(notices: CrashNotice[]): void {
    current = notices;
    for (const listener of listeners) listener();
  }

  const noticeOf = (part: CrashedPart): CrashNotice | undefined => current.find((notice) => notice.part === part);

  function show(notice: CrashNotice): void {
    change([...current.filter(({ part }) => part !== notice.part), notice]);
  }

  function write(crash: CrashFacts, at: number): CrashNotice {
    const { part, cause } = crash;
    let report: string | null = null;
    try {
      report = writeReport(crash, at, options);
      logger.warn({ part, report }, 'a report about a crash was written');
    } catch (error) {
      // The disk is full, for example. The notice says that there is no report.
      logger.warn({ err: error, part }, 'a report about a crash could not be written');
    }
    const notice = { part, at, count: (noticeOf(part)?.count ?? 0) + 1, cause, report };
    show(notice);
    return notice;
  }

  return {
    record(crash) {
      if (isStopped || wasRequested(crash.exit)) return;
      const at = clock.now();
      const run = (): void => {
        due.delete(run);
        write(crash, at);
      };
      due.set(run, clock.after(OUTPUT_MS, run));
    },
    recordNow(crash) {
      const at = clock.now();
      const last = noticeOf(crash.part);
      if (last?.cause === crash.cause && at - last.at < SAME_MS) {
        show({ ...last, count: last.count + 1 });
        return;
      }
      const notice = write(crash, at);
      try {
        writeFileSync(undismissedFile(options.dataDir), `${JSON.stringify(notice)}\n`, { mode: 0o600 });
      } catch (error) {
        logger.warn({ err: error }, 'the notice about a crash could not be kept');
      }
    },
    recordKilled(runningJobs) {
      if (runningJobs === 0 || noticeOf('main') !== undefined) return;
      const jobs = runningJobs === 1 ? 'a job' : `${runningJobs} jobs`;
      const cause = `It was killed, or the computer lost power, while ${jobs} ran on this computer.`;
      show({ part: 'last-run', at: clock.now(), count: 1, cause, report: null });
    },
    notices: () => current,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dismiss(part) {
      if (noticeOf(part) === undefined) return;
      if (part === 'main') rmSync(undismissedFile(options.dataDir), { force: true });
      change(current.filter((notice) => notice.part !== part));
    },
    report(part) {
      const path = noticeOf(part)?.report;
      if (!path) throw new AppError('NOT_FOUND', 'There is no report about this crash.');
      try {
        return readFileSync(path, 'utf8');
      } catch (cause) {
        throw new AppError('NOT_FOUND', `The report ${path} cannot be read. It may have been removed.`, { cause });
      }
    },
    stop() {
      isStopped = true;
      for (const [run, cancel] of [...due]) {
        cancel();
        run();
      }
    },
  };
}
