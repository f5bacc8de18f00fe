/**
 * Loads the page of a window again after its process has crashed, later after each crash, and at last asks the person.
 */
import { dialog } from 'electron';
import type { BrowserWindow, RenderProcessGoneDetails } from 'electron';
import type { Logger } from 'pino';
import type { Crashes } from '../../../app/crashes/crashes.ts';
import { createDeaths } from '../../../app/crashes/restartPolicy.ts';
import { t } from '../language/text.ts';

export interface RecoveryOptions {
  readonly crashes: Pick<Crashes, 'record'>;
  readonly logger: Logger;
}

const causes: Partial<Record<RenderProcessGoneDetails['reason'], string>> = {
  oom: 'The process of the window ran out of memory.',
  killed: 'The process of the window was ended from outside.',
};

/** The page cannot show this itself. */
async function askToReload(window: BrowserWindow, detail: string): Promise<'reload' | 'close'> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: t`The window stopped working.`,
    detail,
    buttons: [t`Reload`, t`Close`],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0 ? 'reload' : 'close';
}

export function recoverPage(window: BrowserWindow, { crashes, logger }: RecoveryOptions): void {
  const { webContents } = window;
  const deaths = createDeaths();
  let reloadTimer: NodeJS.Timeout | undefined;
  const reload = (): void => {
    if (!window.isDestroyed()) webContents.reload();
  };
  window.on('closed', () => clearTimeout(reloadTimer));

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    logger.error({ reason, exitCode }, 'the page died');
    const cause = causes[reason] ?? `The process of the window crashed (${reason}, exit code ${exitCode}).`;
    crashes.record({ part: 'page', cause, exit: { code: exitCode, signal: null, reason } });
    const decision = deaths.record(reason !== 'killed', Date.now());
    clearTimeout(reloadTimer);
    if ('delayMs' in decision) {
      reloadTimer = setTimeout(reload, decision.delayMs);
      return;
    }
    void askToReload(window, `${decision.giveUp} ${t`Your jobs continue. Reload the window, or close it.`}`).then(
      (choice) => {
        if (window.isDestroyed()) return;
        deaths.forget();
        if (choice === 'reload') reload();
        else window.destroy();
      },
    );
  });
}
