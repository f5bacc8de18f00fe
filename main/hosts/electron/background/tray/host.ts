/**
 * Checks whether a tray icon is visible: on Linux a program of the desktop must draw it, and some desktops have none.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemCode } from '#contract/core/systemCode.ts';
import { t } from '../../language/text.ts';

const run = promisify(execFile);
const WATCHER = 'org.kde.StatusNotifierWatcher';
const OBJECT = '/StatusNotifierWatcher';
const PROPERTY = 'IsStatusNotifierHostRegistered';
const GET = 'org.freedesktop.DBus.Properties.Get';
const TIMEOUT_MS = 3000;

const noTray = (): string =>
  t`This desktop shows no tray. On GNOME, install the extension "AppIndicator and KStatusNotifierItem Support", then start Hangar again.`;

/** Tools that read a property of the session bus; most systems have at least one of them. */
const tools: readonly (readonly [tool: string, args: string])[] = [
  ['gdbus', `call --session --dest ${WATCHER} --object-path ${OBJECT} --method ${GET} ${WATCHER} ${PROPERTY}`],
  ['busctl', `--user get-property ${WATCHER} ${OBJECT} ${WATCHER} ${PROPERTY}`],
  ['dbus-send', `--session --print-reply --dest=${WATCHER} ${OBJECT} ${GET} string:${WATCHER} string:${PROPERTY}`],
];

/** Why a tray icon is not visible, as a sentence for a person; null if it is. Never rejects. */
export async function trayProblem(platform: NodeJS.Platform): Promise<string | null> {
  if (platform !== 'linux') return null;
  for (const [tool, args] of tools) {
    try {
      const { stdout } = await run(tool, args.split(' '), { timeout: TIMEOUT_MS });
      return /\btrue\b/.test(stdout) ? null : noTray();
    } catch (error) {
      // The next tool runs only if this one is missing; a refusal of the bus is an answer.
      if (systemCode(error) !== 'ENOENT') return noTray();
    }
  }
  return noTray();
}
