/** Installs a ready version at the time that the person chose, when no work runs. */
import type { Logger } from 'pino';
import type { UpdatePlan } from '#contract/bridge/updates.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Cancel, Clock } from '../../../app/platform/clock.ts';
import { t } from '../language/text.ts';
import type { UpdateSource } from './source.ts';
import type { StatusHolder } from './status.ts';

/** Interval of the checks whether the work has ended. */
const WORK_MS = 5000;

export interface Installer {
  /** Rejects with CONFLICT if no version is ready. */
  choose(plan: UpdatePlan): Promise<void>;
  /** Cancels the wait. */
  abandon(): void;
  /** Called before the program stops everything: decides whether it installs a version at its end. */
  beforeQuit(): Promise<void>;
  /**
   * Called after everything has stopped. Installs the decided version; resolves when the program should end, and never
   * rejects.
   */
  install(source: UpdateSource): Promise<void>;
}

export interface InstallerOptions {
  /** The work that the end of the program would interrupt, as phrases; empty if nothing runs. */
  readonly openWork: () => Promise<string[]>;
  /** Quits the program, as a person does. */
  readonly quit: () => void;
  /** Restarts the program after its end, because the installation that should do so failed. */
  readonly relaunch: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createInstaller(status: StatusHolder, options: InstallerOptions): Installer {
  const { openWork, quit, relaunch, clock, logger } = options;
  let cancelLook: Cancel = () => undefined;

  /** The running work, or a phrase that it is not known. */
  const workNow = (): Promise<string[]> => openWork().catch(() => [t`the engine, which does not answer`]);

  async function installSoon(): Promise<void> {
    cancelLook();
    const work = await workNow();
    const { state, plan } = status.now;
    if (plan !== 'now' || (state !== 'ready' && state !== 'waiting')) return;
    if (work.length === 0) {
      status.move('install');
      quit();
      return;
    }
    if (!status.move('wait', { work })) status.change({ work });
    cancelLook();
    cancelLook = clock.after(WORK_MS, () => void installSoon());
  }

  return {
    async choose(plan) {
      const { state } = status.now;
      if (state !== 'ready' && state !== 'waiting') {
        throw new AppError('CONFLICT', 'No update is ready to be installed. Check for updates first.');
      }
      status.change({ plan });
      if (plan === 'now') {
        await installSoon();
        return;
      }
      cancelLook();
      status.move('postpone');
    },
    abandon: () => cancelLook(),
    async beforeQuit() {
      cancelLook();
      const { state, plan } = status.now;
      if (state !== 'ready' || plan !== 'at-quit') return;
      const work = await workNow();
      if (work.length === 0) status.move('install');
      else logger.info({ work }, 'the update is not installed at this end: work runs');
    },
    async install(source) {
      const { state, plan } = status.now;
      if (state !== 'installing') return;
      const runsAfter = plan === 'now';
      try {
        await source.install(runsAfter);
      } catch (error) {
        status.fail(error);
        if (runsAfter) relaunch();
      }
    },
  };
}
