/** Notes crashes of the process that draws the windows. Chromium starts it again by itself. */
import { app } from 'electron';
import type { Details } from 'electron';
import type { Logger } from 'pino';
import type { Crashes } from '../../app/crashes/crashes.ts';

const causes: Partial<Record<Details['reason'], string>> = {
  killed: 'The GPU process was ended from outside.',
  oom: 'The GPU process ran out of memory.',
  'launch-failed': 'The GPU process could not be started.',
};

/** `drawWithGpu`: false draws with the processor, from this start on. Call before `ready`. */
export function watchGpuProcess(
  drawWithGpu: boolean,
  { crashes, logger }: { crashes: Pick<Crashes, 'record'>; logger: Logger },
): void {
  if (!drawWithGpu) app.disableHardwareAcceleration();
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    if (reason === 'clean-exit') return;
    // The engine and the keychain process report their ends themselves; Chromium restarts its other services.
    logger.warn({ type, reason, exitCode, name }, 'a child process ended unexpectedly');
    if (type !== 'GPU') return;
    const cause = causes[reason] ?? `The GPU process crashed (${reason}, exit code ${exitCode}).`;
    crashes.record({ part: 'gpu', cause, exit: { code: exitCode, signal: null, reason } });
  });
}
