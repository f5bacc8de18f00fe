import { useLayoutEffect, useState } from 'react';
import { fireEvent } from '@testing-library/react';
import { flushSync } from 'react-dom';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';

/** What Escape leaves only after a question, drawn before the next listener of the same Escape is called. */
function Editor() {
  const [isAsking, setAsking] = useState(false);
  useLayoutEffect(() => {
    const ask = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') flushSync(() => setAsking(true));
    };
    window.addEventListener('keydown', ask, { capture: true });
    return () => window.removeEventListener('keydown', ask, { capture: true });
  }, []);
  return (
    <ConfirmDialog
      opened={isAsking}
      onClose={() => setAsking(false)}
      title="Close without saving?"
      action="Discard"
      busy={false}
      problem={null}
      onConfirm={() => setAsking(false)}
    >
      What was typed is lost.
    </ConfirmDialog>
  );
}

it('A question that Escape opens again at once stays open', async () => {
  const { screen, user } = renderPage(<Editor />);
  await user.keyboard('{Escape}');
  await screen.findByRole('button', { name: 'Discard' });
  // It takes Escape only after the event that opened it.
  await new Promise((resolve) => setTimeout(resolve));
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(await screen.findByRole('button', { name: 'Discard' })).toBeVisible();
});
