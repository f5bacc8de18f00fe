import { useState } from 'react';
import { PasswordInput } from '@mantine/core';
import { expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { FormDialog } from './FormDialog.tsx';

function Dialog({ onClose }: { onClose: () => void }) {
  const [opened, setOpened] = useState(true);
  const close = () => {
    setOpened(false);
    onClose();
  };
  return (
    <FormDialog opened={opened} onClose={close} title="New key" size={400}>
      <PasswordInput label="Key" />
    </FormDialog>
  );
}

it('A dialog with a form asks before it closes with what was typed, and only then', async () => {
  const closed: string[] = [];
  const { screen, user } = renderPage(<Dialog onClose={() => closed.push('closed')} />);
  const field = await screen.findByLabelText('Key');
  await user.type(field, 'pasted');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Go on editing' }));
  expect(closed).toEqual([]);
  expect(field).toHaveValue('pasted');
  await user.clear(field);
  await user.keyboard('{Escape}');
  expect(closed).toEqual(['closed']);
});
