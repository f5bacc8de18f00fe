/** The tray or menu bar: the state of this computer, a pause for a time, running Pods, and access to a window. */
import { Menu, nativeTheme, Tray } from 'electron';
import type { Logger } from 'pino';
import type { Activity } from '../activity.ts';
import { noFacts, type TrayFacts } from './facts.ts';
import { trayIcon } from './icon.ts';
import { statusLine, trayTemplate, type TrayActions } from './menu.ts';

export interface StateTray {
  show(activity: Activity): void;
  showFacts(facts: TrayFacts): void;
  destroy(): void;
}

/** Throws if the system has no tray. */
export function createTray(platform: NodeJS.Platform, actions: TrayActions, logger: Logger): StateTray {
  let activity: Activity = { state: 'idle', running: 0, message: null, isByRule: false, until: null };
  let facts = noFacts;
  const picture = () => trayIcon(activity.state, platform, nativeTheme.shouldUseDarkColors);
  const tray = new Tray(picture());
  // On macOS and Linux a click shows the menu.
  if (platform === 'win32') tray.on('click', actions.open);
  const draw = (): void => {
    tray.setImage(picture());
    tray.setToolTip(`Hangar: ${statusLine(activity, facts.load)}`);
    tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(activity, facts, actions)));
  };
  nativeTheme.on('updated', draw);
  draw();
  logger.info('the tray shows');
  return {
    show(next) {
      activity = next;
      draw();
    },
    showFacts(next) {
      facts = next;
      draw();
    },
    destroy() {
      nativeTheme.removeListener('updated', draw);
      tray.destroy();
    },
  };
}
