/** Starts Hangar when a person logs in. The setting belongs to the system, where a person can also change it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { app } from 'electron';
import { isMissingFile } from '#contract/core/systemCode.ts';
import { t } from '../language/text.ts';

/** With this flag, a start opens no window if the tray shows. */
export const backgroundFlag = '--background';

/** The path by the Desktop Application Autostart Specification of freedesktop.org. */
function autostartFile(): string {
  const config = process.env['XDG_CONFIG_HOME'];
  return join(config && isAbsolute(config) ? config : join(homedir(), '.config'), 'autostart', 'hangar.desktop');
}

/** Quotes a value for the Exec key of a desktop entry: a backslash is doubled, and `%` begins a field code. */
const quoteExec = (path: string): string =>
  `"${path
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;

/** An AppImage runs from a folder that changes with each start; a variable has its own path. */
const program = (): string => process.env['APPIMAGE'] ?? process.execPath;

function desktopEntry(): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Hangar',
    'Comment=Runs GPU work on this computer',
    `Exec=${quoteExec(program())} ${backgroundFlag}`,
    'Icon=hangar',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Why Hangar cannot start at login, as a sentence; null if it can. */
export const loginProblem = (): string | null =>
  app.isPackaged ? null : t`This Hangar runs from its source. Install it to start it at login.`;

/** The current setting of the system. */
export function opensAtLogin(): boolean {
  if (process.platform !== 'linux') return app.getLoginItemSettings({ args: [backgroundFlag] }).openAtLogin;
  try {
    const entry = readFileSync(autostartFile(), 'utf8');
    // Desktops disable an entry with these keys instead of removing it.
    return !/^(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(entry);
  } catch (error) {
    // There is no entry.
    if (!isMissingFile(error)) throw error;
    return false;
  }
}

/** Throws if the system refuses the change. */
export function openAtLogin(isWanted: boolean): void {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: isWanted, args: [backgroundFlag] });
    return;
  }
  const file = autostartFile();
  if (!isWanted) return rmSync(file, { force: true });
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, desktopEntry());
}
