/** The frame round every page: title bar, sidebar, banners, status bar, palette and keys. */
import type { ReactNode } from 'react';
import { useHotkeys } from '@mantine/hooks';
import { toggleShortcuts, toggleTargets } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { Banners } from './Banners.tsx';
import { Palette } from './Palette.tsx';
import { pages } from './pages.ts';
import styles from './shell.module.css';
import { ShortcutSheet } from './ShortcutSheet.tsx';
import { Sidebar } from './Sidebar.tsx';
import { StatusBar } from './StatusBar.tsx';
import { TitleBar } from './TitleBar.tsx';

export function Shell({ children }: { children: ReactNode }) {
  // Those with Mod work everywhere, even while a person types; "?" only where it is not a letter of a text.
  useHotkeys(
    [
      ...pages.map(({ keys, route }): [string, () => void] => [keys, () => navigate(route)]),
      ['mod+shift+K', toggleTargets],
      ['mod+/', toggleShortcuts],
    ],
    [],
    true,
  );
  useHotkeys([
    ['shift+?', toggleShortcuts],
    ['?', toggleShortcuts],
  ]);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page" onClick={skipToPage}>
        Skip to the page
      </a>
      <TitleBar />
      <Sidebar />
      <main className={styles.main} id="page" tabIndex={-1}>
        <Banners />
        <div className={styles.page}>{children}</div>
      </main>
      <StatusBar />
      <Palette />
      <ShortcutSheet />
    </div>
  );
}

/** The address is the route, so an anchor must not change it. */
function skipToPage(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById('page')?.focus();
}
