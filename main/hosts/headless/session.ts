/** What outlives one run of the app: signals, and the addresses that clients know. */
import { limits } from '#contract/core/limits.ts';
import type { HostNotice } from '../../app/storage/runner.ts';
import type { Flags } from './commandLine/flags.ts';
import { pageNameOf } from './pageName.ts';
import { onStopSignals } from './signals.ts';

/** What outlives one run of the app: signals, and the addresses that clients know. */
export interface Session {
  stop: () => Promise<void>;
  kill: () => void;
  /** Resolves after a signal is handled. */
  ended: Promise<void>;
  isStopping: boolean;
  /** The page keeps its name, under which browsers have their cookies. */
  pageName: string;
  notice: HostNotice | null;
  /** Whether the first line on standard output was printed. */
  isAnnounced: boolean;
}

export function openSession(flags: Flags): Session {
  const session: Session = {
    stop: () => Promise.resolve(),
    kill: () => undefined,
    ended: Promise.resolve(),
    isStopping: false,
    pageName: pageNameOf(flags.dataDir),
    notice: null,
    isAnnounced: false,
  };
  session.ended = onStopSignals({
    async first() {
      setTimeout(() => process.exit(0), limits.stop.programMs).unref();
      session.isStopping = true;
      await session.stop();
    },
    second: () => session.kill(),
  });
  return session;
}
