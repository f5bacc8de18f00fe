/** What outlives one run of the app: signals, and the addresses that clients know. */
import { limits } from '#contract/core/limits.ts';
import type { HostNotice } from '../../app/storage/runner.ts';
import { stoppingDetails, STOPPING } from './commandLine/announce.ts';
import type { Flags } from './commandLine/flags.ts';
import { pageNameOf } from './pageName.ts';
import { onStopSignals } from './signals.ts';

/** What outlives one run of the app: signals, and the addresses that clients know. */
export interface Session {
  stop: () => Promise<void>;
  kill: () => void;
  /** The work that a stop interrupts, such as "2 jobs". Never rejects. */
  openWork: () => Promise<string[]>;
  /** Resolves after a signal is handled. */
  ended: Promise<void>;
  isStopping: boolean;
  /** The page keeps its name, under which browsers have their cookies. */
  pageName: string;
  notice: HostNotice | null;
  /** Whether the first line on standard output was printed. */
  isAnnounced: boolean;
}

/** The stop waits for the list of the work, in milliseconds at most: on a busy machine an answer takes its time. */
const WORK_MS = 2000;

/** The list, or null if it takes too long. */
const within = (work: Promise<string[]>, ms: number): Promise<string[] | null> =>
  Promise.race([work, new Promise<null>((resolve) => setTimeout(resolve, ms, null).unref())]);

export function openSession(flags: Flags): Session {
  const session: Session = {
    stop: () => Promise.resolve(),
    kill: () => undefined,
    openWork: () => Promise.resolve([]),
    ended: Promise.resolve(),
    isStopping: false,
    pageName: pageNameOf(flags.dataDir),
    notice: null,
    isAnnounced: false,
  };
  session.ended = onStopSignals({
    async first(signal) {
      setTimeout(() => process.exit(0), limits.stop.programMs).unref();
      session.isStopping = true;
      if (!flags.json) {
        // The terminal shows "^C" in the same line.
        if (process.stderr.isTTY) process.stderr.write('\n');
        process.stderr.write(STOPPING);
        process.stderr.write(stoppingDetails(await within(session.openWork(), WORK_MS), signal));
      }
      await session.stop();
    },
    second: () => session.kill(),
  });
  return session;
}
