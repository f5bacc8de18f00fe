import { expect, it, vi } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ReasonButton } from './ReasonButton.tsx';

it('says why it cannot be used to the keyboard, and does nothing then', async () => {
  const act = vi.fn<() => void>();
  const submit = vi.fn<() => void>();
  const { user, screen } = renderPage(
    <form onSubmit={submit}>
      <ReasonButton whyNot="None of them has finished yet." type="submit" onClick={act}>
        Remove
      </ReasonButton>
    </form>,
  );
  await user.tab();
  const button = screen.getByRole('button', { name: 'Remove' });
  expect(button).toHaveFocus();
  expect(button).toHaveAccessibleDescription('None of them has finished yet.');
  expect(await screen.findByRole('tooltip')).toHaveTextContent('None of them has finished yet.');
  await user.keyboard('{Enter}');
  await user.click(button);
  expect(act).not.toHaveBeenCalled();
  expect(submit).not.toHaveBeenCalled();
});

it('acts where nothing is against it', async () => {
  const act = vi.fn<() => void>();
  const { user, screen } = renderPage(
    <ReasonButton whyNot={null} onClick={act}>
      Remove
    </ReasonButton>,
  );
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  expect(act).toHaveBeenCalledOnce();
});
