/** Shows the application menu, and implements its own entries. */
import { app, clipboard, dialog, Menu, shell } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import { arch, release } from 'node:os';
import type { Logger } from 'pino';
import type { Service } from '../service.ts';
import type { Windows } from '../windows/windows.ts';
import { copyNewKey } from './newKey.ts';
import { menuTemplate } from './template.ts';
import { menuCase, t } from '../language/text.ts';

interface MenuOptions {
  readonly platform: NodeJS.Platform;
  readonly windows: Pick<Windows, 'openAnother' | 'send'>;
  readonly service: Pick<Service, 'address' | 'createApiKey'>;
  readonly logsDir: string;
  readonly logger: Logger;
  /** Entries above "About". */
  readonly more?: readonly MenuItemConstructorOptions[];
}

/** Facts for the analysis of a problem, without paths and names of this computer. */
const facts = (): string =>
  [
    `Hangar ${app.getVersion()}`,
    `${process.platform} ${release()} ${arch()}`,
    `Electron ${process.versions['electron'] ?? 'none'}, Node ${process.versions.node}`,
  ].join('\n');

/** Call after `ready`. */
export function showMenu({ platform, windows, service, logsDir, logger, more }: MenuOptions): void {
  app.setAboutPanelOptions({ applicationName: 'Hangar', applicationVersion: app.getVersion(), copyright: '' });

  async function openLogs(): Promise<void> {
    const problem = await shell.openPath(logsDir);
    if (problem !== '') dialog.showErrorBox(t`The folder of logs could not be opened`, `${logsDir}\n${problem}`);
  }

  async function openDocumentation(): Promise<void> {
    const address = service.address();
    if (address !== null) return shell.openExternal(`${address}/v1/docs`);
    dialog.showErrorBox(
      t`The documentation is not available now`,
      t`Only the engine can show it, and the engine is not running.`,
    );
  }

  async function reportProblem(): Promise<void> {
    const { response } = await dialog.showMessageBox({
      type: 'info',
      message: t`Report a problem`,
      detail: [
        t`Write down what you did, what happened, and what you expected. These facts help:`,
        facts(),
        t`Logs and crash reports contain no keys, but read them before you send them to anyone.`,
      ].join('\n\n'),
      buttons: [menuCase(t`Copy these facts and open the logs`), t`Cancel`],
      defaultId: 0,
      cancelId: 1,
    });
    if (response !== 0) return;
    await clipboard.writeText(facts());
    await openLogs();
  }

  const attempt = (what: string, action: () => Promise<void>) => () =>
    void action().catch((error: unknown) => logger.warn({ err: error }, `${what} failed`));
  const actions = {
    send: windows.send,
    newWindow: () => void windows.openAnother(),
    newKey: () => void copyNewKey({ createApiKey: service.createApiKey, logger }),
    documentation: attempt('opening the documentation', openDocumentation),
    logsFolder: attempt('opening the logs', openLogs),
    reportProblem: attempt('a report of a problem', reportProblem),
  };
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(platform, actions, more)));
}
