/** The colours of a terminal: those of the interface, and a palette of 16 for each theme, made to be read on its background. */
import type { ISearchDecorationOptions } from '@xterm/addon-search';
import type { ITheme } from '@xterm/xterm';

/** On a white screen, bright colours of the usual palettes cannot be read. Each has a contrast of at least 4.5:1 on white. */
export const lightPalette = {
  black: '#24242b',
  red: '#b3261e',
  green: '#0b6e3c',
  yellow: '#7a5b00',
  blue: '#2156c4',
  magenta: '#8a2fa0',
  cyan: '#00697a',
  white: '#6b6b76',
  brightBlack: '#55555f',
  brightRed: '#c9352c',
  brightGreen: '#0f7d46',
  brightYellow: '#8a6700',
  brightBlue: '#3b6be0',
  brightMagenta: '#a341bb',
  brightCyan: '#0a7688',
  brightWhite: '#3c3c45',
} as const satisfies ITheme;

/** Each has a contrast of at least 4.5:1 on the dark panel, except black, which is drawn lighter as text. */
export const darkPalette = {
  black: '#3a3a45',
  red: '#ff8078',
  green: '#5fd0a3',
  yellow: '#e8c268',
  blue: '#86b0ff',
  magenta: '#d9a0f0',
  cyan: '#6fd3e3',
  white: '#c9c9d4',
  brightBlack: '#8f8f9d',
  brightRed: '#ffa39c',
  brightGreen: '#86e5bf',
  brightYellow: '#f5d88f',
  brightBlue: '#adc9ff',
  brightMagenta: '#e8c2f7',
  brightCyan: '#9be6f1',
  brightWhite: '#ffffff',
} as const satisfies ITheme;

export function terminalTheme(dark: boolean): ITheme {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ...(dark ? darkPalette : lightPalette),
    background: colour('--panel'),
    foreground: colour('--ink'),
    cursor: colour('--accent'),
    cursorAccent: colour('--panel'),
    selectionBackground: `${colour('--accent')}55`,
  };
}

/** The colours of what a search found. The search accepts no names of colours. */
export function matchColours(dark: boolean): ISearchDecorationOptions {
  const [match, active] = dark ? ['#6b5a00', '#9a3a00'] : ['#ffe9a3', '#ffc46b'];
  return {
    matchBackground: match,
    activeMatchBackground: active,
    // Its background is that of the selection.
    activeMatchBorder: dark ? '#ffb07a' : '#b34700',
    matchOverviewRuler: match,
    activeMatchColorOverviewRuler: active,
  };
}
