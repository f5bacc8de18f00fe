import { Box } from 'lucide-react';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { closeShortcuts, toggleShortcuts } from '../../state/overlays.ts';
import { withShortcuts, type ShellPage } from '../../ui/page/definePage.tsx';
import { ShortcutSheet } from './ShortcutSheet.tsx';

afterEach(closeShortcuts);

it('The sheet names the keys of nine numbered pages, and no page that has none', async () => {
  const pages = Array.from({ length: 10 }, (_, index): ShellPage => ({
    route: 'home',
    group: 'Work',
    icon: Box,
    key: null,
    title: `Page ${index + 1}`,
  }));
  toggleShortcuts();
  const { screen } = renderPage(<ShortcutSheet pages={withShortcuts(pages)} />);
  expect(await screen.findByText('Go to Page 9')).toBeVisible();
  expect(screen.queryByText('Go to Page 10')).toBeNull();
});
