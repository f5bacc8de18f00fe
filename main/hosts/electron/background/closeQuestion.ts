/** Asks once, when the last window is closed for the first time, whether Hangar continues in the tray. */
import { BrowserWindow, dialog } from 'electron';
import type { Logger } from 'pino';
import type { SettingsFile } from './settingsFile.ts';
import { menuCase, t } from '../language/text.ts';

interface QuestionOptions {
  readonly settings: SettingsFile;
  /** The work that a quit would interrupt, such as "2 jobs". Never rejects. */
  readonly openWork: () => Promise<string[]>;
  readonly logger: Logger;
}

const consequence = (work: readonly string[]): string =>
  work.length === 0
    ? t`Nothing is running now. This computer runs jobs only while Hangar is running.`
    : t`Now running: ${work.join(', ')}. If you quit, Hangar stops this. Jobs of this computer start again from the beginning when you start Hangar again.`;

/** Returns whether Hangar continues. The tray must show. Never rejects. */
export async function askAtClose({ settings, openWork, logger }: QuestionOptions): Promise<boolean> {
  const { response, checkboxChecked } = await dialog.showMessageBox({
    type: 'question',
    message: t`Keep Hangar running in the background?`,
    detail: `${consequence(await openWork())}\n\n${t`You can open Hangar again from the tray, and change your answer in Settings > Desktop.`}`,
    buttons: [menuCase(t`Keep running`), t`Quit`],
    defaultId: 0,
    cancelId: 1,
    checkboxLabel: t`Remember my answer`,
    checkboxChecked: true,
  });
  const closeToTray = response === 0;
  if (checkboxChecked) {
    // A setting that cannot be written asks again the next time.
    await settings.change({ closeToTray }).catch((error: unknown) => {
      logger.warn({ err: error }, 'the answer could not be kept');
    });
  }
  // A second start or a link has opened a window meanwhile.
  return closeToTray || BrowserWindow.getAllWindows().length > 0;
}
