/** The tray or menu bar: the state of this computer, a pause for a time, and access to a window. */
import { Menu, nativeTheme, Tray } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import type { Logger } from 'pino';
import { pauseDurations } from '#contract/app/pauseDurations.ts';
import { titleCase } from '../menu/template.ts';
import { activityWords, type Activity } from './activity.ts';
import { trayIcon } from './trayIcon.ts';

export interface TrayActions {
  readonly open: () => void;
  readonly openSettings: () => void;
  /** Pauses this computer for `forMs` milliseconds; null: until somebody resumes it. */
  readonly pause: (forMs: number | null) => void;
  readonly resume: () => void;
  readonly quit: () => void;
}

const MINUTE_MS = 60_000;

/** The menu, in the same order on every system. */
export function trayTemplate(activity: Activity, actions: TrayActions): MenuItemConstructorOptions[] {
  const isPaused = activity.state === 'paused';
  const snooze: MenuItemConstructorOptions[] = [
    ...pauseDurations.map(({ words, forMs }) => ({
      id: `tray-pause-${forMs / MINUTE_MS}`,
      label: `For ${titleCase(words)}`,
      click: () => actions.pause(forMs),
    })),
    { id: 'tray-pause', label: 'Until I Resume', click: () => actions.pause(null) },
  ];
  return [
    { id: 'tray-state', label: activityWords(activity), enabled: false },
    { type: 'separator' },
    isPaused
      ? { id: 'tray-resume', label: 'Resume', click: actions.resume }
      : { id: 'tray-snooze', label: 'Pause', enabled: activity.state !== 'problem', submenu: snooze },
    { type: 'separator' },
    { id: 'tray-open', label: 'Open Hangar', click: actions.open },
    { id: 'tray-settings', label: 'Settings…', click: actions.openSettings },
    { type: 'separator' },
    { id: 'tray-quit', label: 'Quit Hangar', click: actions.quit },
  ];
}

export interface StateTray {
  show(activity: Activity): void;
  destroy(): void;
}

/** Throws if the system has no tray. */
export function createTray(platform: NodeJS.Platform, actions: TrayActions, logger: Logger): StateTray {
  let activity: Activity = { state: 'idle', running: 0, message: null, isByRule: false, until: null };
  const picture = () => trayIcon(activity.state, platform, nativeTheme.shouldUseDarkColors);
  const tray = new Tray(picture());
  // On macOS and Linux a click shows the menu.
  if (platform === 'win32') tray.on('click', actions.open);
  const draw = (): void => {
    tray.setImage(picture());
    tray.setToolTip(`Hangar: ${activityWords(activity)}`);
    tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(activity, actions)));
  };
  nativeTheme.on('updated', draw);
  draw();
  logger.info('the tray shows');
  return {
    show(next) {
      activity = next;
      draw();
    },
    destroy() {
      nativeTheme.removeListener('updated', draw);
      tray.destroy();
    },
  };
}
