import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { CreateSheet } from './CreateSheet.tsx';

function Sheet({ onClose }: { onClose: () => void }) {
  const [opened, setOpened] = useState(true);
  const [name, setName] = useState('suggested');
  return (
    <CreateSheet
      opened={opened}
      onClose={() => {
        setOpened(false);
        onClose();
      }}
      title="New disk"
    >
      <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
    </CreateSheet>
  );
}

function show() {
  const closed: string[] = [];
  const { screen, user } = renderPage(<Sheet onClose={() => closed.push('closed')} />);
  return { screen, user, closed };
}

it('A sheet in which nothing was typed closes on Escape at once', async () => {
  const { screen, user, closed } = show();
  await user.click(await screen.findByRole('textbox', { name: 'Name' }));
  await user.keyboard('{Escape}');
  expect(closed).toEqual(['closed']);
  expect(screen.queryByRole('dialog', { name: 'Close without saving?' })).toBeNull();
});

it('A sheet with typed text asks before it closes, keeps the text, and closes when that is discarded', async () => {
  const { screen, user, closed } = show();
  const field = await screen.findByRole('textbox', { name: 'Name' });
  await user.type(field, ' once more');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Go on editing' }));
  expect(closed).toEqual([]);
  expect(field).toHaveValue('suggested once more');
  await user.click(field);
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Discard what was typed' }));
  expect(closed).toEqual(['closed']);
});

it('A sheet whose text was put back as it was closes without a question', async () => {
  const { screen, user, closed } = show();
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'x{Backspace}');
  await user.keyboard('{Escape}');
  expect(closed).toEqual(['closed']);
});
