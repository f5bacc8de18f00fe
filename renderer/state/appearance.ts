/** What the person chose for the look: theme and contrast, and what that means on this system now. */
import { create } from 'zustand';
import { readStored, writeStored } from './stored.ts';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

interface Appearance {
  theme: ThemeChoice;
  /** Null follows the system's wish for contrast. */
  highContrast: boolean | null;
  systemDark: boolean;
  systemContrast: boolean;
}

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const contrast = window.matchMedia('(prefers-contrast: more)');

const storedTheme = readStored('theme');
const storedContrast = readStored('contrast');

export const useAppearance = create<Appearance>(() => ({
  theme: themeChoices.find((choice) => choice === storedTheme) ?? 'system',
  highContrast: storedContrast === null ? null : storedContrast === 'more',
  systemDark: dark.matches,
  systemContrast: contrast.matches,
}));

export const isDark = (state: Appearance): boolean =>
  state.theme === 'system' ? state.systemDark : state.theme === 'dark';
export const isHighContrast = (state: Appearance): boolean => state.highContrast ?? state.systemContrast;

export function chooseTheme(theme: ThemeChoice): void {
  writeStored('theme', theme);
  useAppearance.setState({ theme });
}

export function chooseContrast(highContrast: boolean): void {
  writeStored('contrast', highContrast ? 'more' : 'normal');
  useAppearance.setState({ highContrast });
}

function apply(state: Appearance): void {
  const root = document.documentElement;
  root.dataset['mantineColorScheme'] = isDark(state) ? 'dark' : 'light';
  if (isHighContrast(state)) root.dataset['contrast'] = 'more';
  else delete root.dataset['contrast'];
}

/** Puts the look on the document before the first paint and keeps it there; answers the way to stop. */
export function startAppearance(): () => void {
  apply(useAppearance.getState());
  const unsubscribe = useAppearance.subscribe(apply);
  const onDark = () => useAppearance.setState({ systemDark: dark.matches });
  const onContrast = () => useAppearance.setState({ systemContrast: contrast.matches });
  dark.addEventListener('change', onDark);
  contrast.addEventListener('change', onContrast);
  return () => {
    unsubscribe();
    dark.removeEventListener('change', onDark);
    contrast.removeEventListener('change', onContrast);
  };
}
