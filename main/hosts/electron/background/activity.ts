/** Polls the activity of this computer every few seconds while the app runs, for the tray and the taskbar. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { Logger } from 'pino';
import { isPauseRule } from '#contract/notices/notices.ts';
import type { Clock } from '../../../app/platform/clock.ts';
import type { AppClient } from '../service.ts';
import { poll } from './poll.ts';
import { t } from '../language/text.ts';

export interface Activity {
  /** `problem`: the engine is not running; `message` says why. */
  readonly state: 'idle' | 'running' | 'paused' | 'problem';
  /** Workers of this computer with a job. */
  readonly running: number;
  /** The reason of a pause or a problem, as a sentence; null otherwise. */
  readonly message: string | null;
  /** Whether a rule has paused the engine, not a person. */
  readonly isByRule: boolean;
  /** When the pause ends automatically; null if it does not, or if there is none. */
  readonly until: Date | null;
}

const EVERY_MS = 3000;
const idle: Activity = { state: 'idle', running: 0, message: null, isByRule: false, until: null };
const engineAway = (): Activity => ({
  ...idle,
  state: 'problem',
  message: t`The engine of this computer is not running.`,
});

/** The current activity of the engine on this computer. Never rejects. */
async function readActivity(client: AppClient, logger: Logger): Promise<Activity> {
  try {
    const [pause, workers] = await Promise.all([
      client.machine.pauseState({ accountId: THIS_MACHINE }),
      client.machine.workers({ accountId: THIS_MACHINE }),
    ]);
    const running = workers.filter(({ state }) => state === 'running').length;
    if (pause.state === 'running') return { ...idle, state: running > 0 ? 'running' : 'idle', running };
    const until = pause.until === null ? null : new Date(pause.until);
    return { state: 'paused', running, message: pause.message, isByRule: isPauseRule(pause.source), until };
  } catch (error) {
    // Usually the engine is starting or restarting: the page shows its state and the reason.
    logger.debug({ err: error }, 'the activity of this computer could not be read');
    return engineAway();
  }
}

export interface ActivityWatch {
  /** The last result. */
  now(): Activity;
  /** Polls immediately, for example after a change by this program. */
  refresh(): void;
  stop(): void;
}

/**
 * `client` returns null while the app is not running. Calls `onChange` with each result that differs from the last one,
 * and with the last one. The answer of a poll that a later one has overtaken is ignored.
 */
export function watchActivity(
  client: () => AppClient | null,
  onChange: (activity: Activity, before: Activity) => void,
  { clock, logger }: { clock: Clock; logger: Logger },
): ActivityWatch {
  let last: Activity = idle;
  const polling = poll({
    first: idle,
    async read(before) {
      const current = client();
      return current === null ? before : readActivity(current, logger);
    },
    onChange(next) {
      const before = last;
      last = next;
      onChange(next, before);
    },
    everyMs: EVERY_MS,
    clock,
    logger,
  });
  return { now: () => last, ...polling };
}
