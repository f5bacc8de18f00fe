/** Hangar beside and without its windows: tray, taskbar, login item, and the behaviour after the last window closes. */
import { app, BrowserWindow, dialog, shell, type OpenDialogOptions } from 'electron';
import type { Logger } from 'pino';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { DesktopState } from '#contract/bridge/host.ts';
import { AppError } from '#contract/core/errors.ts';
import type { DesktopHost } from '../../../app/bridge/host/host.ts';
import type { App } from '../../../app/compose.ts';
import { systemClock } from '../../../app/platform/clock.ts';
import type { AppClient } from '../service.ts';
import type { Windows } from '../windows/windows.ts';
import { watchActivity, type Activity } from './activity.ts';
import { loginProblem, openAtLogin, opensAtLogin } from './loginItem.ts';
import { keepAwakeForJobs } from './keepAwake.ts';
import type { SettingsFile } from './settingsFile.ts';
import { showInTaskbar } from './taskbar.ts';
import { askAtStop } from './stopQuestion.ts';
import { createTray, type StateTray } from './tray/tray.ts';
import { sourceOf, watchTrayFacts, type TrayFactsWatch } from './tray/facts.ts';
import { trayProblem } from './tray/host.ts';
import type { TrayActions } from './tray/menu.ts';
import { askAtClose } from './closeQuestion.ts';
import { t } from '../language/text.ts';

interface BackgroundOptions {
  readonly settings: SettingsFile;
  readonly windows: Pick<Windows, 'present' | 'send'>;
  /** Null while the app is not running. */
  readonly client: () => AppClient | null;
  /** The work that a quit would interrupt, such as "2 jobs". Never rejects. */
  readonly openWork: () => Promise<string[]>;
  /** The running transfers of files. */
  readonly transfers: App['transfers'];
  /** Called after each change of the activity. */
  readonly onActivity: (activity: Activity, before: Activity) => void;
  readonly logger: Logger;
}

export interface Background {
  readonly desktop: DesktopHost;
  /** Shows the tray if the setting is on and the system can show it. Call once, after `ready`. */
  start(): Promise<void>;
  showsTray(): boolean;
  /** Reads what the tray shows, after a start of the app. */
  refresh(): void;
  /** Whether Hangar continues without a window. The first time, the person is asked. */
  goesOnWithoutWindow(): Promise<boolean>;
  stop(): void;
}

/** The actions of the tray's menu. `refresh` is called after each change. */
function trayActions(
  { windows, client, logger }: Pick<BackgroundOptions, 'windows' | 'client' | 'logger'>,
  refresh: () => void,
): TrayActions {
  function change(what: string, action: (client: AppClient) => Promise<unknown>): void {
    const current = client();
    if (current === null) return;
    void action(current)
      .catch((error: unknown) => {
        logger.warn({ err: error }, `${what} failed`);
        dialog.showErrorBox(t`This did not work`, error instanceof Error ? error.message : String(error));
      })
      .finally(refresh);
  }

  return {
    open: () => void windows.present(),
    openSettings: () => windows.send({ type: 'open', address: '#/settings/desktop' }),
    pause: (forMs) =>
      change('a pause', ({ machine }) =>
        machine.pause({ accountId: THIS_MACHINE, request: { when: 'now', ...(forMs !== null && { forMs }) } }),
      ),
    resume: () => change('resuming', ({ machine }) => machine.resume({ accountId: THIS_MACHINE })),
    openPod: ({ accountId, podId }) =>
      windows.send({ type: 'open', address: `#/pods/${encodeURIComponent(podId)}`, accountId }),
    stopPod: (pod) =>
      change('stopping a Pod', async ({ pods }) => {
        const { accountId, podId } = pod;
        if (await askAtStop(pod)) await pods.act({ accountId, podId, action: 'stop' });
      }),
    quit: () => app.quit(),
  };
}

export function createBackground(options: BackgroundOptions): Background {
  const { settings, client, openWork, transfers, onActivity, logger } = options;
  const { platform } = process;
  let tray: StateTray | null = null;
  let facts: TrayFactsWatch | null = null;
  let problem: string | null = null;
  const showActivity = (activity: Activity, before: Activity): void => {
    tray?.show(activity);
    taskbar.refresh();
    awake.refresh();
    onActivity(activity, before);
  };
  const watch = watchActivity(client, showActivity, { clock: systemClock, logger });
  const running = (): number => watch.now().running;
  const taskbar = showInTaskbar(running, transfers);
  const awake = keepAwakeForJobs(() => settings.now().keepAwake, running);

  const showFacts = (): TrayFactsWatch =>
    watchTrayFacts(
      () => {
        const current = client();
        return current === null ? null : sourceOf(current);
      },
      (next) => tray?.showFacts(next),
      { clock: systemClock, logger },
    );
  const actions = trayActions(options, () => {
    watch.refresh();
    facts?.refresh();
  });

  function removeTray(): void {
    facts?.stop();
    tray?.destroy();
    [facts, tray] = [null, null];
  }

  async function placeTray(): Promise<void> {
    const isWanted = settings.now().showTray;
    problem = isWanted ? await trayProblem(platform) : null;
    if (isWanted && problem === null && tray === null) {
      try {
        tray = createTray(platform, actions, logger);
        tray.show(watch.now());
        facts = showFacts();
      } catch (error) {
        logger.warn({ err: error }, 'the tray could not be shown');
        problem = t`The system did not allow Hangar to show a tray icon.`;
      }
    }
    if (!isWanted || problem !== null) removeTray();
  }

  function state(): DesktopState {
    return {
      settings: settings.now(),
      openAtLogin: opensAtLogin(),
      trayProblem: problem,
      loginProblem: loginProblem(),
    };
  }

  return {
    desktop: {
      state: async () => state(),
      async change(wanted) {
        const { openAtLogin: atLogin } = wanted;
        const refusal = atLogin ? loginProblem() : null;
        if (refusal !== null) throw new AppError('UNSUPPORTED', refusal);
        await settings.change(wanted);
        if (atLogin !== undefined) openAtLogin(atLogin);
        if (wanted.showTray !== undefined) await placeTray();
        awake.refresh();
        return state();
      },
      async pick(kind) {
        const window = BrowserWindow.getFocusedWindow();
        // Keys for SSH are in a hidden folder.
        const options: OpenDialogOptions = {
          properties: kind === 'folder' ? ['openDirectory', 'createDirectory'] : ['openFile', 'showHiddenFiles'],
        };
        const { canceled, filePaths } = window
          ? await dialog.showOpenDialog(window, options)
          : await dialog.showOpenDialog(options);
        return canceled ? null : (filePaths[0] ?? null);
      },
      showFile: (path) => shell.showItemInFolder(path),
    },
    start: placeTray,
    showsTray: () => tray !== null,
    refresh() {
      watch.refresh();
      facts?.refresh();
    },
    async goesOnWithoutWindow() {
      // On macOS an app stays in the Dock without a window.
      if (platform === 'darwin') return true;
      if (tray === null) return false;
      const { closeToTray, decidedClose } = settings.now();
      return closeToTray || (!decidedClose && askAtClose({ settings, openWork, logger }));
    },
    stop() {
      watch.stop();
      taskbar.stop();
      awake.stop();
      removeTray();
    },
  };
}
