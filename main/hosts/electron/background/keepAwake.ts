/**
 * Keeps the computer from sleeping by itself while it runs jobs. The display may turn off, and a person may send it to
 * sleep.
 */
import { powerSaveBlocker } from 'electron';

export interface KeepAwake {
  /** Call after each change of what runs, and of the setting. */
  refresh(): void;
  stop(): void;
}

/** `isWanted`: the setting. `running`: the number of running jobs. */
export function keepAwakeForJobs(isWanted: () => boolean, running: () => number): KeepAwake {
  let blocker: number | null = null;
  function stop(): void {
    if (blocker !== null) powerSaveBlocker.stop(blocker);
    blocker = null;
  }
  return {
    refresh() {
      if (!isWanted() || running() === 0) stop();
      else blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    },
    stop,
  };
}
