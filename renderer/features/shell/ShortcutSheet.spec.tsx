import { act, waitFor, within } from '@testing-library/react';
import { Box } from 'lucide-react';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { closeShortcuts, toggleShortcuts } from '../../state/overlays.ts';
import type { ShellPage } from '../../ui/page/definePage.tsx';
import { keyLabel } from '../../ui/keyboard/shortcuts.ts';
import { terminalKeys } from '../../ui/page/terminalKeys.ts';
import ShortcutSheet from './ShortcutSheet.tsx';

afterEach(closeShortcuts);

it('The sheet names the keys of pages, and no page that has none', async () => {
  const page = (title: string, key: string | null): ShellPage => ({
    route: 'home',
    group: 'work',
    icon: Box,
    key,
    title,
  });
  toggleShortcuts();
  const { screen } = renderPage(<ShortcutSheet pages={[page('Page 9', 'Mod+9'), page('Page 10', null)]} />);
  expect(await screen.findByText('Go to Page 9')).toBeVisible();
  expect(screen.queryByText('Go to Page 10')).toBeNull();
});

it('The sheet names the keys of each view of Run, of choosing many, and all keys of terminals', async () => {
  toggleShortcuts();
  const { screen } = renderPage(<ShortcutSheet pages={[]} />);
  const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  const keyOf = (does: string) => within(sheet).getByText(does).nextElementSibling?.textContent;
  expect(keyOf('Run the list of a batch')).toBe('Ctrl+Enter');
  expect(keyOf('Run all columns of a comparison')).toBe('Ctrl+Enter');
  expect(keyOf('Send the message of a chat, also Ctrl+Enter')).toBe('Enter');
  expect(keyOf('Stop the answer of a chat')).toBe('Ctrl+.');
  expect(keyOf('Select all jobs')).toBe('Ctrl+A');
  expect(keyOf('Select several Pods (also Shift+click)')).toBe('Shift+↑ ↓');
  const shown = [...sheet.querySelectorAll('kbd')].map(({ textContent }) => textContent);
  for (const key of Object.values(terminalKeys)) expect(shown).toContain(keyLabel(key));
});

it('The page has the focus after the sheet, where nothing had it before', async () => {
  const { screen, user } = renderPage(<ShortcutSheet pages={[]} />);
  act(toggleShortcuts);
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});
