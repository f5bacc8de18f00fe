/** The chosen appearance, theme and contrast, and its current effect on this system. */
import { create } from 'zustand';
import * as z from 'zod';
import { personalSetting } from './personalSetting.ts';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

interface Appearance {
  theme: ThemeChoice;
  /** Null follows the system's contrast setting. */
  highContrast: boolean | null;
  systemDark: boolean;
  systemContrast: boolean;
}

const dark = window.matchMedia('(prefers-color-scheme: dark)');
/** Colours that the system forces are for people who need contrast, too: charts and bars keep colours of their own. */
const contrast = window.matchMedia('(prefers-contrast: more), (forced-colors: active)');

export const themeSetting = personalSetting('theme', z.enum(themeChoices), 'system');
/** True: high contrast. Null follows the system. */
export const contrastSetting = personalSetting(
  'contrast',
  z.codec(z.enum(['more', 'normal']), z.boolean(), {
    decode: (text) => text === 'more',
    encode: (isHigh) => (isHigh ? 'more' : 'normal'),
  }),
  null,
);

export const useAppearance = create<Appearance>(() => ({
  theme: themeSetting.get(),
  highContrast: contrastSetting.get(),
  systemDark: dark.matches,
  systemContrast: contrast.matches,
}));

export const isDark = (state: Appearance): boolean =>
  state.theme === 'system' ? state.systemDark : state.theme === 'dark';
export const isHighContrast = (state: Appearance): boolean => state.highContrast ?? state.systemContrast;

export function chooseTheme(theme: ThemeChoice): void {
  themeSetting.set(theme);
  useAppearance.setState({ theme });
}

export function chooseContrast(highContrast: boolean): void {
  contrastSetting.set(highContrast);
  useAppearance.setState({ highContrast });
}

function apply(state: Appearance): void {
  const root = document.documentElement;
  root.dataset['mantineColorScheme'] = isDark(state) ? 'dark' : 'light';
  if (isHighContrast(state)) root.dataset['contrast'] = 'more';
  else delete root.dataset['contrast'];
}

/**
 * Applies the appearance to the document before the first paint and after each change. Returns a function that stops
 * that.
 */
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
