/** The frame round every page: title bar, sidebar, banners, status bar, palette and keys. */
import type { ReactNode } from 'react';
import { useHotkeys } from '@mantine/hooks';
import { toggleShortcuts, toggleTargets } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { startOf } from '../../state/routePath.ts';
import type { ShellPage } from '../../ui/page/definePage.tsx';
import { Banners } from './Banners.tsx';
import { Palette } from './Palette.tsx';
import styles from './shell.module.css';
import { ShortcutSheet } from './ShortcutSheet.tsx';
import { Sidebar } from './Sidebar.tsx';
import { StatusBar } from './StatusBar.tsx';
import { TitleBar } from './TitleBar.tsx';

/** `pages`: those that it leads to, in their order. */
export function Shell({ pages, children }: { pages: readonly ShellPage[]; children: ReactNode }) {
  // Those with Mod work everywhere, even while a person types; "?" only where it is not a letter of a text.
  useHotkeys(
    [
      ...pages.flatMap(({ key, route }): [string, () => void][] =>
        key === null ? [] : [[key, () => navigate(startOf(route))]],
      ),
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
      <Sidebar pages={pages} />
      <main className={styles.main} id="page" tabIndex={-1}>
        <Banners />
        <div className={styles.page}>{children}</div>
      </main>
      <StatusBar />
      <Palette pages={pages} />
      <ShortcutSheet pages={pages} />
    </div>
  );
}

/** The address is the route, so an anchor must not change it. */
function skipToPage(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById('page')?.focus();
}
