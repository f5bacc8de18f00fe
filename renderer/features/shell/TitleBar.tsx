/** The title bar: target, search, and appearance. */
import type { ReactNode } from 'react';
import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { Keyboard, Search } from 'lucide-react';
import { toggleShortcuts, palette } from '../../state/overlays.ts';
import { lazyPart, loadModule } from '../../ui/primitives/lazyPart.ts';
import { Tip } from '../../ui/popover/Tip.tsx';
import { keyLabel } from '../../ui/keyboard/shortcuts.ts';
import styles from './shell.module.css';
import { AppearanceButton } from './menus/AppearanceButton.tsx';
import { TargetChip } from './menus/TargetChip.tsx';
import { t } from '../../language/text.ts';

/** Not part of the first load. Without them the title bar works as well, so a load that fails leaves them out. */
const TitleChips = lazyPart((): Promise<{ default: () => ReactNode }> =>
  loadModule(() => import('./TitleChips.tsx')).catch(() => ({ default: () => null })),
);

export function TitleBar() {
  return (
    <header className={styles.titleBar}>
      <div className={styles.titleStart}>
        <div className={styles.logo}>
          <i aria-hidden />
          <span>{t`Hangar`}</span>
        </div>
        <TargetChip />
      </div>
      <UnstyledButton className={styles.search} onClick={() => palette.open()} aria-keyshortcuts="Control+K Meta+K">
        <Search size={13} aria-hidden />
        <span>
          {t`Search`}
          <small> {t`or run a command`}</small>
        </span>
        <Kbd aria-hidden>{keyLabel('Mod+K')}</Kbd>
      </UnstyledButton>
      <div className={styles.titleEnd}>
        <TitleChips />
        <div className={styles.titleActions}>
          <AppearanceButton />
          <Tip label={t`Keyboard shortcuts`}>
            <ActionIcon size={28} aria-label={t`Keyboard shortcuts`} onClick={toggleShortcuts}>
              <Keyboard size={15} aria-hidden />
            </ActionIcon>
          </Tip>
        </div>
      </div>
    </header>
  );
}
