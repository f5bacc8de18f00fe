/** The colours of the interface in the format of the terminal. */
import type { ITheme } from '@xterm/xterm';

export function terminalTheme(): ITheme {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    background: colour('--panel'),
    foreground: colour('--ink'),
    cursor: colour('--accent'),
    cursorAccent: colour('--panel'),
    selectionBackground: `${colour('--accent')}55`,
  };
}
