/** The title bar: target, search, and appearance. */
import { lazy, Suspense, type ReactNode } from 'react';
import { ActionIcon, Kbd, Menu, Tooltip, UnstyledButton } from '@mantine/core';
import { Contrast, Keyboard, Moon, Search, Sun, SunMoon } from 'lucide-react';
import {
  chooseContrast,
  chooseTheme,
  isHighContrast,
  themeChoices,
  useAppearance,
  type ThemeChoice,
} from '../../state/appearance.ts';
import { toggleShortcuts, palette } from '../../state/overlays.ts';
import { loadModule } from '../../ui/primitives/lazyPart.ts';
import { keyLabel } from '../../ui/keyboard/shortcuts.ts';
import styles from './shell.module.css';
import { TargetChip } from './TargetChip.tsx';
import { t } from '../../language/text.ts';

/** Not part of the first load. Without them the title bar works as well, so a load that fails leaves them out. */
const TitleChips = lazy((): Promise<{ default: () => ReactNode }> =>
  loadModule(() => import('./TitleChips.tsx')).catch(() => ({ default: () => null })),
);

export const themes: { choice: ThemeChoice; label: string; icon: typeof Sun }[] = [
  { choice: 'system', label: t`Match system`, icon: SunMoon },
  { choice: 'light', label: t`Light`, icon: Sun },
  { choice: 'dark', label: t`Dark`, icon: Moon },
];

export function TitleBar() {
  return (
    <header className={styles.titleBar}>
      <div className={styles.logo}>
        <i aria-hidden />
        <span>{t`Hangar`}</span>
      </div>
      <TargetChip />
      <UnstyledButton className={styles.search} onClick={() => palette.open()} aria-keyshortcuts="Control+K Meta+K">
        <Search size={13} aria-hidden />
        <span>
          {t`Search`}
          <small> {t`or run a command`}</small>
        </span>
        <Kbd aria-hidden>{keyLabel('Mod+K')}</Kbd>
      </UnstyledButton>
      <Suspense fallback={null}>
        <TitleChips />
      </Suspense>
      <div className={styles.titleActions}>
        <AppearanceMenu />
        <Tooltip label={t`Keyboard shortcuts`}>
          <ActionIcon size={28} aria-label={t`Keyboard shortcuts`} onClick={toggleShortcuts}>
            <Keyboard size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
    </header>
  );
}

function AppearanceMenu() {
  const theme = useAppearance((state) => state.theme);
  const highContrast = useAppearance(isHighContrast);
  const choose = (choice: string) => chooseTheme(themeChoices.find((known) => known === choice) ?? 'system');
  const Current = themes.find(({ choice }) => choice === theme)?.icon ?? SunMoon;
  return (
    <Menu position="bottom-end" width={190}>
      <Tooltip label={t`Appearance`}>
        <Menu.Target>
          <ActionIcon size={28} aria-label={t`Appearance`}>
            <Current size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.RadioGroup value={theme} onChange={choose}>
          {themes.map(({ choice, label, icon: Icon }) => (
            <Menu.RadioItem key={choice} value={choice} rightSection={<Icon size={14} aria-hidden />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.CheckboxItem
          checked={highContrast}
          onChange={chooseContrast}
          rightSection={<Contrast size={14} aria-hidden />}
        >{t`High contrast`}</Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}
