/** The frame around every page: title bar, sidebar, banners, status bar, palette and shortcuts. */
import { useState, type ReactNode } from 'react';
import { pageCommands } from '#contract/app/hostMessage.ts';
import { useHotkeys } from '@mantine/hooks';
import { useSpotlight } from '@mantine/spotlight';
import { palette, paletteStore, toggleShortcuts, toggleTargets, useOverlays } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { startOf } from '../../state/routePath.ts';
import { targetAccount } from '../../state/selection.ts';
import type { ShellPage } from '../../ui/page/definePage.tsx';
import { titleForTarget } from '../../ui/page/targetTitle.ts';
import { lazyPart } from '../../ui/primitives/lazyPart.ts';
import { Banners } from './Banners.tsx';
import styles from './shell.module.css';
import { Sidebar } from './Sidebar.tsx';
import { useTypedAhead } from './palette/useTypedAhead.ts';
import { useHostMessages } from './hostMessages.ts';
import { StatusBar } from './StatusBar.tsx';
import { TitleBar } from './TitleBar.tsx';
import { t } from '../../language/text.ts';

const Palette = lazyPart(() => import('./Palette.tsx'));
const ShortcutSheet = lazyPart(() => import('./ShortcutSheet.tsx'));
const CodeDialog = lazyPart(() => import('../../ui/files/preview/CodeDialog.tsx'));
const RestartDialog = lazyPart(() => import('./RestartDialog.tsx'));

/** `pages`: the pages of the sidebar, in order. */
export function Shell({ pages: defined, children }: { pages: readonly ShellPage[]; children: ReactNode }) {
  const accountId = targetAccount.use();
  const pages = defined.map((page) => ({ ...page, title: titleForTarget(page.route, page.title, accountId) }));
  // Shortcuts with Mod work everywhere, even while a person types; "?" works only outside of text fields.
  useHotkeys(
    [
      ...pages.flatMap(({ key, route }): [string, () => void][] =>
        key === null ? [] : [[key, () => navigate(startOf(route))]],
      ),
      [pageCommands.palette.key, palette.open],
      ['Mod+Shift+P', palette.open],
      [pageCommands.targets.key, toggleTargets],
      [pageCommands.shortcuts.key, toggleShortcuts],
    ],
    [],
    true,
  );
  useHostMessages();
  useHotkeys([
    ['shift+?', toggleShortcuts],
    ['?', toggleShortcuts],
  ]);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page" onClick={skipToPage}>{t`Skip to the page`}</a>
      <TitleBar />
      <Sidebar pages={pages} />
      <main className={styles.main} id="page" tabIndex={-1}>
        <Banners />
        <div className={styles.page}>{children}</div>
      </main>
      <StatusBar />
      <Dialogs pages={pages} />
    </div>
  );
}

/** The palette, the sheet of shortcuts, open code and the question before a restart, each loaded when it is opened first. */
function Dialogs({ pages }: { pages: readonly ShellPage[] }) {
  useTypedAhead();
  const hasPalette = useOnceTrue(useSpotlight(paletteStore).opened);
  const hasShortcuts = useOnceTrue(useOverlays(({ shortcuts }) => shortcuts));
  const hasCode = useOnceTrue(useOverlays(({ code }) => code !== null));
  const hasRestart = useOnceTrue(useOverlays(({ restart }) => restart !== null));
  return (
    <>
      {hasPalette && <Palette pages={pages} />}
      {hasShortcuts && <ShortcutSheet pages={pages} />}
      {hasCode && <CodeDialog />}
      {hasRestart && <RestartDialog />}
    </>
  );
}

/** True from the first time that the value is. */
function useOnceTrue(value: boolean): boolean {
  const [once, setOnce] = useState(value);
  if (value && !once) setOnce(true);
  return value || once;
}

/** The address contains the route, so an anchor must not change it. */
function skipToPage(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById('page')?.focus();
}
