import { act, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { offerUndo } from './offerUndo.tsx';

it('a change is taken back once by the button of its notice, which leaves with it', async () => {
  let undone = 0;
  const { user, screen } = renderPage(null);
  act(() => void offerUndo('Removed the input portrait', () => (undone += 1)));
  expect(await screen.findByText('Removed the input portrait')).toBeVisible();
  const button = screen.getByRole('button', { name: 'Undo' });
  await user.click(button);
  await user.click(button);
  expect(undone).toBe(1);
});

it('what cannot be taken back is done once the notice has gone, and not after the button', async () => {
  const { user, screen } = renderPage(null);
  let finished = 0;
  const offer = (done: string) =>
    act(() => {
      offerUndo(
        done,
        () => undefined,
        () => (finished += 1),
      );
    });
  offer('Closed the first');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByText('Closed the first')).toBeNull());
  expect(finished).toBe(0);
  offer('Closed the second');
  const notice = await screen.findByText('Closed the second');
  expect(finished).toBe(0);
  await user.click(within(notice.closest('[role=alert]')!).getByRole('button', { name: /close|dismiss/i }));
  await waitFor(() => expect(finished).toBe(1));
});
