import { fireEvent } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { NewKeyShown } from './NewKeyShown.tsx';

test('a new key that was not shown is not closed by "Done"', () => {
  const shown = { how: 'link' as const, path: '#/key', until: Date.now() + 60_000 };
  const { screen } = renderPage(<NewKeyShown shown={shown} onClose={() => undefined} />);
  expect(screen.getByRole('button', { name: 'Close without the key' })).toBeVisible();
  const link = screen.getByRole('link', { name: 'Show the new key' });
  // jsdom opens no tabs.
  link.addEventListener('click', (event) => event.preventDefault());
  fireEvent.click(link);
  expect(screen.getByRole('button', { name: 'Done' })).toBeVisible();
});
