/** Running jobs and file transfers in the taskbar, in the Dock and on their badges. */
import { app, BrowserWindow } from 'electron';
import type { App } from '../../../app/compose.ts';
import { NO_BAR, progressOf } from './taskbarProgress.ts';

export interface Taskbar {
  /** Shows a change now instead of at the next check. */
  refresh(): void;
  stop(): void;
}

const EVERY_MS = 1000;
/** `running`: the number of running jobs. */
export function showInTaskbar(running: () => number, transfers: App['transfers']): Taskbar {
  let shown = NO_BAR;
  function show(isNew: boolean): void {
    const progress = progressOf(running(), transfers());
    if (progress === shown && !isNew) return;
    shown = progress;
    for (const window of BrowserWindow.getAllWindows()) window.setProgressBar(progress);
  }
  function refresh(): void {
    show(false);
    if (process.platform !== 'win32') app.setBadgeCount(running());
  }
  const timer = setInterval(() => show(false), EVERY_MS);
  // A new window has no bar yet.
  app.on('browser-window-created', () => show(true));
  return { refresh, stop: () => clearInterval(timer) };
}
