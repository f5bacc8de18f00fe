import { useState } from 'react';
import { Menu, Modal } from '@mantine/core';
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../test/support/page/render.tsx';
import { Popover } from '../ui/popover/Popover.tsx';
import { useBackStep } from './backStep.ts';

const steps: string[] = [];

function Page({ hasDialog = false }: { hasDialog?: boolean }) {
  const [opened, setOpened] = useState(hasDialog);
  const [isInner, setInner] = useState(true);
  useBackStep(true, () => steps.push('outer'));
  useBackStep(isInner, () => {
    steps.push('inner');
    setInner(false);
  });
  return (
    <>
      <input aria-label="Filter" />
      <textarea aria-label="Shell" />
      <Modal
        opened={opened}
        onClose={() => {
          steps.push('dialog');
          setOpened(false);
        }}
        title="Above"
      />
    </>
  );
}

it('Escape takes one step at a time: the dialog, what was opened last, then what was opened before', async () => {
  steps.length = 0;
  const { user, screen } = renderPage(<Page hasDialog />);
  await screen.findByRole('dialog');
  await user.keyboard('{Escape}');
  expect(steps).toEqual(['dialog']);
  await user.keyboard('{Escape}');
  expect(steps).toEqual(['dialog', 'inner']);
  await user.keyboard('{Escape}');
  expect(steps).toEqual(['dialog', 'inner', 'outer']);
});

it('Escape leaves a text field first, and belongs to what has more than one line', async () => {
  steps.length = 0;
  const { user, screen } = renderPage(<Page />);
  await user.click(screen.getByRole('textbox', { name: 'Shell' }));
  await user.keyboard('{Escape}');
  expect(steps).toEqual([]);
  await user.click(screen.getByRole('textbox', { name: 'Filter' }));
  await user.keyboard('{Escape}');
  expect(steps).toEqual([]);
  expect(screen.getByRole('textbox', { name: 'Filter' })).not.toHaveFocus();
  await user.keyboard('{Escape}');
  expect(steps).toEqual(['inner']);
});

function PageWithPopover() {
  const [opened, setOpened] = useState(false);
  useBackStep(true, () => steps.push('page'));
  return (
    <Popover opened={opened} onChange={setOpened} withRoles>
      <Popover.Target>
        <button type="button" onClick={() => setOpened(true)}>
          Open
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Choices">
        <input aria-label="Choice" />
      </Popover.Dropdown>
    </Popover>
  );
}

it.each(['the opener', 'the popover'])('Escape closes a popover alone while the focus is in %s', async (place) => {
  steps.length = 0;
  const { user, screen } = renderPage(<PageWithPopover />);
  const opener = screen.getByRole('button', { name: 'Open' });
  await user.click(opener);
  const choice = await screen.findByRole('textbox', { name: 'Choice' });
  await expect.poll(() => document.activeElement).toBe(choice);
  if (place === 'the opener') opener.focus();
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(steps).toEqual([]);
});

it('Escape closes a menu that does not have the focus yet, and nothing behind it', async () => {
  steps.length = 0;
  const { user, screen } = renderPage(
    <>
      <Page />
      <Menu defaultOpened trapFocus={false}>
        <Menu.Target>
          <button type="button">More</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>,
  );
  await screen.findByRole('menu');
  screen.getByRole('button', { name: 'More' }).focus();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(steps).toEqual([]);
});
