import { Drawer } from '@mantine/core';
import { waitFor } from '@testing-library/react';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FolderListing } from '#contract/bridge/host.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ChoosePath } from './ChoosePath.tsx';

const listing = (path: string): FolderListing => ({
  path: path === '' ? '/p' : path,
  rest: '',
  parent: '/',
  home: '/p',
  entries: ['alpha', 'beta'].map((name) => ({ name, isFolder: true })),
  isCut: false,
});

// In the desktop program the system has the dialog.
const host = window.hangarHost;
const setHost = (value: unknown) => Object.defineProperty(window, 'hangarHost', { configurable: true, value });
beforeAll(() => void setHost(undefined));
afterAll(() => void setHost(host));

function renderChoice() {
  const chosen: string[] = [];
  const created: string[] = [];
  let sent = 0;
  const page = renderPage(
    <Drawer opened onClose={() => undefined} title="Sheet">
      <form onSubmit={() => (sent += 1)}>
        <ChoosePath kind="folder" path="/p" onChosen={(path) => chosen.push(path)} />
      </form>
    </Drawer>,
    { host: { listFolder: ({ path }) => listing(path), makeFolder: ({ path }) => void created.push(path) } },
  );
  return { ...page, chosen, created, sentForms: () => sent };
}

it('The dialog of a folder gives the focus back to its button, also above a sheet', async () => {
  const { screen, user } = renderChoice();
  const button = await screen.findByRole('button', { name: 'Choose a folder…' });
  await user.click(button);
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Path' })).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(button).toHaveFocus());
});

it('A folder without folders says that it can be chosen, and names the handler in it', async () => {
  const chosen: string[] = [];
  const { screen, user } = renderPage(
    <ChoosePath kind="folder" path="/p/greet" onChosen={(path) => chosen.push(path)} />,
    {
      host: {
        listFolder: ({ path }) => ({
          ...listing(path),
          entries: ['handler.py', 'notes.txt'].map((name) => ({ name, isFolder: false })),
        }),
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Choose a folder…' }));
  expect(await screen.findByText('No folders in here. You can choose this one.')).toBeVisible();
  expect(screen.getByText('handler.py').parentElement).toHaveTextContent('This folder has a handler: handler.py');
  await user.click(screen.getByRole('button', { name: 'Choose this folder' }));
  expect(chosen).toEqual(['/p/greet']);
});

it('The arrow keys go through the list, and Enter opens a folder of it', async () => {
  const { screen, user, chosen } = renderChoice();
  await user.click(await screen.findByRole('button', { name: 'Choose a folder…' }));
  const field = screen.getByRole('textbox', { name: 'Path' });
  await waitFor(() => expect(field).toHaveFocus());
  await screen.findByRole('button', { name: 'alpha' });
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}');
  expect(screen.getByRole('button', { name: 'alpha' })).toHaveFocus();
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
  expect(field).toHaveFocus();
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
  await waitFor(() => expect(field).toHaveValue('/p/beta/'));
  expect(field).toHaveFocus();
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Choose this folder' })).not.toHaveAttribute('aria-disabled'),
  );
  await user.click(screen.getByRole('button', { name: 'Choose this folder' }));
  expect(chosen).toEqual(['/p/beta']);
});

it('A new folder is created where the list is, and is chosen then; Escape leaves its dialog alone', async () => {
  const { screen, user, created, sentForms } = renderChoice();
  await user.click(await screen.findByRole('button', { name: 'Choose a folder…' }));
  await screen.findByRole('button', { name: 'alpha' });
  await user.click(screen.getByRole('button', { name: 'New folder…' }));
  const field = await screen.findByRole('textbox', { name: 'Name' });
  await user.type(field, 'beta');
  expect(screen.getByRole('button', { name: 'Create the folder' })).toHaveAttribute('aria-disabled', 'true');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(field).not.toBeInTheDocument());
  expect(screen.getByRole('textbox', { name: 'Path' })).toHaveValue('/p');
  await user.click(screen.getByRole('button', { name: 'New folder…' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'gamma{Enter}');
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Path' })).toHaveValue('/p/gamma/'));
  expect(created).toEqual(['/p/gamma']);
  // The form that the field stands in is another one.
  expect(sentForms()).toBe(0);
});
