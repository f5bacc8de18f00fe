import { expect, it, vi } from 'vitest';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ReasonButton, ReasonIcon } from './ReasonButton.tsx';
import { ReasonItem } from './ReasonItem.tsx';

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

it('says what it does while it can be used, and why not instead of that', async () => {
  const { screen, rerender } = renderPage(
    <ReasonButton whyNot={null} hint="Secrets are masked.">
      Export
    </ReasonButton>,
  );
  const button = screen.getByRole('button', { name: 'Export' });
  expect(button).toHaveAccessibleDescription('Secrets are masked.');
  rerender(
    <ReasonButton whyNot="There are no jobs." hint="Secrets are masked.">
      Export
    </ReasonButton>,
  );
  expect(button).toHaveAccessibleDescription('There are no jobs.');
});

it('opens no menu while it cannot be used', async () => {
  const menu = (whyNot: string | null) => (
    <Menu>
      <Menu.Target>
        <ReasonButton whyNot={whyNot}>Export</ReasonButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item>CSV</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
  const { user, screen, rerender } = renderPage(menu('A file is being saved.'));
  const button = screen.getByRole('button', { name: 'Export' });
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'false');
  rerender(menu(null));
  await user.click(button);
  expect(await screen.findByRole('menuitem', { name: 'CSV' })).toBeVisible();
});

it('may be an icon, whose name stays', async () => {
  const act = vi.fn<() => void>();
  const { user, screen } = renderPage(
    <ReasonIcon aria-label="Move up" whyNot="It is already first." hint="Move up" onClick={act} />,
  );
  await user.tab();
  const button = screen.getByRole('button', { name: 'Move up' });
  expect(button).toHaveFocus();
  expect(button).toHaveAccessibleDescription('It is already first.');
  expect(await screen.findByRole('tooltip')).toHaveTextContent('It is already first.');
  await user.keyboard('{Enter}');
  expect(act).not.toHaveBeenCalled();
});

it('may be an item of a menu, which the arrow keys reach, and which leaves the menu open', async () => {
  const act = vi.fn<() => void>();
  const { user, screen } = renderPage(
    <Menu defaultOpened>
      <Menu.Target>
        <button type="button">More</button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item>Open</Menu.Item>
        <ReasonItem whyNot="It is locked." onClick={act}>
          Delete
        </ReasonItem>
        <Menu.Label>It is locked.</Menu.Label>
      </Menu.Dropdown>
    </Menu>,
  );
  (await screen.findByRole('menuitem', { name: 'Open' })).focus();
  await user.keyboard('{ArrowDown}');
  const item = screen.getByRole('menuitem', { name: 'Delete' });
  expect(item).toHaveFocus();
  expect(item).toHaveAttribute('aria-disabled', 'true');
  expect(item).toHaveAccessibleDescription('It is locked.');
  await user.keyboard('{Enter}');
  expect(act).not.toHaveBeenCalled();
  expect(item).toBeVisible();
});

it('keeps the focus while it is loading, says that it is busy, and ignores clicks', async () => {
  const act = vi.fn<() => void>();
  const submit = vi.fn<() => void>();
  const form = (isBusy: boolean) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <input aria-label="Name" />
      <ReasonButton whyNot={null} type="submit" loading={isBusy} onClick={act}>
        Save
      </ReasonButton>
      <ActionIcon aria-label="Reload" loading={isBusy} onClick={act} />
      <Button loading={isBusy} onClick={act}>
        Check
      </Button>
    </form>
  );
  const { user, screen, rerender } = renderPage(form(false));
  for (const name of ['Save', 'Reload', 'Check']) {
    rerender(form(false));
    const button = screen.getByRole('button', { name });
    button.focus();
    rerender(form(true));
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute('aria-busy', 'true');
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await user.keyboard('{Enter}');
    await user.click(button);
    await user.type(screen.getByLabelText('Name'), '{Enter}');
  }
  expect(act).not.toHaveBeenCalled();
  expect(submit).not.toHaveBeenCalled();
  rerender(form(false));
  const save = screen.getByRole('button', { name: 'Save' });
  expect(save).not.toHaveAttribute('aria-busy');
  await user.click(save);
  expect(submit).toHaveBeenCalledOnce();
});
