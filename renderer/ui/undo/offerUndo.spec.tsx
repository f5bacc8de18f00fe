import { act } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { offerUndo } from './offerUndo.tsx';

it('a change is taken back once by the button of its notice, which leaves with it', async () => {
  let undone = 0;
  const { user, screen } = renderPage(null);
  act(() => offerUndo('Removed the input portrait', () => (undone += 1)));
  expect(await screen.findByText('Removed the input portrait')).toBeVisible();
  const button = screen.getByRole('button', { name: 'Undo' });
  await user.click(button);
  await user.click(button);
  expect(undone).toBe(1);
});
