import { waitFor } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import type { NewHandler } from '#contract/app/endpointReadModels.ts';
import type { FolderListing } from '#contract/bridge/host.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { NewHandlerForm } from './NewHandlerForm.tsx';

/** By path: the names in each folder. */
const folders: Record<string, string[]> = {
  '/p': ['other'],
  '/p/my-worker': ['.git'],
  '/p/my worker': [],
  '/p/training': ['train.py', 'README.md'],
  '/p/served': ['handler.js'],
  '~': ['p'],
};

function listFolder({ path }: { path: string }): FolderListing {
  const names = folders[path];
  const entries = (names ?? []).map((name) => ({ name, isFolder: true }));
  return { path, rest: names ? '' : 'gone', parent: '/', home: '/home/me', entries, isCut: false };
}

function renderForm(refusal: string | null = null, folder = '', picked = '/p', field?: string, isHere = false) {
  const requests: NewHandler[] = [];
  const shown: string[] = [];
  const opened: string[] = [];
  const page = renderPage(
    <NewHandlerForm
      folder={folder}
      isHere={isHere}
      firstKind="job"
      onMade={() => undefined}
      onOpen={(id) => opened.push(id)}
      onClose={() => undefined}
    />,
    {
      endpoints: {
        newHandler: (wanted) => {
          requests.push(wanted);
          if (refusal !== null) throw new ORPCError('CONFLICT', { status: 409, message: refusal, data: { field } });
          return { endpointId: 'e1', folder: '/p/greeter', file: '/p/greeter/handler.py' };
        },
      },
      host: {
        listFolder,
        pickFolder: () => picked,
        showFile: ({ path }) => void shown.push(path),
      },
    },
  );
  return { ...page, requests, shown, opened };
}

describe('the form for a new handler', () => {
  it('takes the folder of the dialog of the desktop, and shows the new file in the file manager', async () => {
    const { user, screen, requests, shown, opened } = renderForm();
    const make = screen.getByRole('button', { name: 'Create the handler' });
    await waitFor(() => expect(make).not.toHaveAttribute('aria-disabled'));
    await user.click(make);
    const name = screen.getByRole('textbox', { name: /^Name/ });
    expect(name).toHaveAccessibleDescription(/Enter a name\./);
    expect(name).toHaveFocus();
    expect(requests).toEqual([]);
    await user.type(name, 'greeter');
    await user.click(screen.getByRole('button', { name: 'Choose a folder…' }));
    expect(await screen.findByDisplayValue('/p')).toBeVisible();
    await waitFor(() => expect(make).not.toHaveAttribute('aria-disabled'));
    expect(screen.getByText('/p/greeter/handler.py')).toBeVisible();
    expect(screen.getByRole('textbox', { name: /^In the folder/ })).toHaveAccessibleDescription(
      /The handler gets a folder of its own in it$/,
    );
    await user.click(make);
    expect(await screen.findByText('greeter is ready for jobs')).toBeVisible();
    expect(screen.getByText('/p/greeter')).toBeVisible();
    expect(requests).toEqual([{ parent: '/p', name: 'greeter', kind: 'job', language: 'python' }]);
    expect(shown).toEqual(['/p/greeter/handler.py']);
    await user.click(screen.getByRole('button', { name: 'Show the endpoint' }));
    expect(opened).toEqual(['e1']);
  });

  it('writes what the person chooses, and says what such a handler does', async () => {
    const { user, screen, requests } = renderForm();
    expect(screen.getByText('Takes an input and returns one result.')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Chat' }));
    expect(screen.getByText(/^Answers chats and OpenAI clients\./)).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Node' }));
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'greeter');
    const make = screen.getByRole('button', { name: 'Create the handler' });
    await waitFor(() => expect(make).not.toHaveAttribute('aria-disabled'));
    await user.click(make);
    expect(await screen.findByRole('button', { name: 'Chat with it' })).toBeVisible();
    expect(requests).toEqual([{ parent: '~', name: 'greeter', kind: 'chat', language: 'node' }]);
  });

  it('uses an empty folder that was chosen, by its own name', async () => {
    const { user, screen, requests } = renderForm(null, '', '/p/my-worker');
    const name = screen.getByRole('textbox', { name: /^Name/ });
    await user.click(screen.getByRole('button', { name: 'Choose a folder…' }));
    await waitFor(() => expect(name).toHaveValue('my-worker'));
    expect(screen.getByText('/p/my-worker/handler.py')).toBeVisible();
    await user.clear(name);
    await user.type(name, 'my-worker');
    await user.click(screen.getByRole('button', { name: 'Create the handler' }));
    expect(await screen.findByText('my-worker is ready for jobs')).toBeVisible();
    expect(requests).toEqual([{ parent: '/p', name: 'my-worker', kind: 'job', language: 'python' }]);
    // The next one is likely to be beside it.
    expect(renderForm().screen.getByRole('textbox', { name: /^In the folder/ })).toHaveValue('/p');
  });

  it('is written beside the files of a person on request, and says which it writes and which it keeps', async () => {
    const { user, screen, requests } = renderForm(null, '', '/p/training');
    await user.click(screen.getByRole('button', { name: 'Choose a folder…' }));
    await user.click(await screen.findByRole('checkbox', { name: /^Write into this folder itself/ }));
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('training');
    expect(screen.getByText('/p/training/handler.py')).toBeVisible();
    expect(screen.getByRole('textbox', { name: /^In the folder/ })).toHaveAccessibleDescription(
      /The handler is written into it$/,
    );
    expect(screen.getByText('Keeps your README.md.')).toBeVisible();
    expect(screen.getByText(/^Writes handler\.py, requirements\.txt, test_input\.json\. /)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create the handler' }));
    expect(await screen.findByText('training is ready for jobs')).toBeVisible();
    expect(requests).toEqual([
      { parent: '/p/training', name: 'training', kind: 'job', language: 'python', into: true },
    ]);
  });

  it.each([
    ['/p/training', 'training', 'beside the files of a person'],
    ['/p/my worker', 'my-worker', 'into an empty folder whose name is not one of a handler'],
  ])('is written into the folder that another form names: %s', async (folder, name) => {
    const { user, screen, requests } = renderForm(null, folder, '/p', undefined, true);
    expect(await screen.findByRole('checkbox', { name: /^Write into this folder itself/ })).toBeChecked();
    const field = screen.getByRole('textbox', { name: /^Name/ });
    await user.clear(field);
    await user.type(field, name);
    expect(await screen.findByText(`${folder}/handler.py`)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create the handler' }));
    expect(await screen.findByText(`${name} is ready for jobs`)).toBeVisible();
    expect(requests).toEqual([{ parent: folder, name, kind: 'job', language: 'python', into: true }]);
  });

  it('is not written beside a handler, and says so', async () => {
    const { user, screen, requests } = renderForm(null, '', '/p/served');
    await user.click(screen.getByRole('button', { name: 'Choose a folder…' }));
    await user.click(await screen.findByRole('checkbox', { name: /^Write into this folder itself/ }));
    expect(screen.getByText(/^The folder already has handler\.js\./)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create the handler' }));
    expect(requests).toEqual([]);
  });

  it('creates a folder in an empty folder whose name is another one', async () => {
    const { user, screen } = renderForm(null, '', '/p/my-worker');
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'greeter');
    await user.click(screen.getByRole('button', { name: 'Choose a folder…' }));
    expect(await screen.findByText('/p/my-worker/greeter/handler.py')).toBeVisible();
  });

  it('leaves the name to the person where the name of an empty folder is not one of a handler', async () => {
    const { user, screen } = renderForm(null, '', '/p/my worker');
    await user.click(screen.getByRole('button', { name: 'Choose a folder…' }));
    expect(await screen.findByDisplayValue('/p/my worker')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'my-worker');
    expect(await screen.findByText('/p/my worker/my-worker/handler.py')).toBeVisible();
  });

  it.each([
    ['~/code/greeter/', 'greeter', '~/code'],
    ['C:\\work\\greeter', 'greeter', 'C:\\work'],
    ['/greeter', 'greeter', '/'],
    ['~', '', '~'],
    ['/my work/', '', '/my work/'],
  ])('begins with the folder %s as %j in %s', (folder, name, parent) => {
    const { screen } = renderForm(null, folder);
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue(name);
    expect(screen.getByRole('textbox', { name: /^In the folder/ })).toHaveValue(parent);
  });

  it('says what a name may have once the field is left, and sends nothing', async () => {
    const { user, screen, requests } = renderForm();
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'my handler');
    expect(screen.queryByText(/^Use 1 to 63 letters/)).toBeNull();
    await user.tab();
    expect(await screen.findByText(/^Use 1 to 63 letters/)).toBeVisible();
    const make = screen.getByRole('button', { name: 'Create the handler' });
    await waitFor(() => expect(make).not.toHaveAttribute('aria-disabled'));
    await user.click(make);
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveFocus();
    expect(requests).toEqual([]);
  });

  it('says why it was refused, and keeps what was typed', async () => {
    const { user, screen } = renderForm('/p already contains greeter. Choose another name or another folder.');
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'greeter');
    const make = screen.getByRole('button', { name: 'Create the handler' });
    await waitFor(() => expect(make).not.toHaveAttribute('aria-disabled'));
    await user.click(make);
    expect(await screen.findByRole('alert')).toHaveTextContent('/p already contains greeter.');
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('greeter');
  });

  it('says at the folder what is wrong with it, with the focus, until it is changed', async () => {
    const { user, screen } = renderForm('/gone is not there.', '', '/p', 'parent');
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'greeter');
    const make = screen.getByRole('button', { name: 'Create the handler' });
    await waitFor(() => expect(make).not.toHaveAttribute('aria-disabled'));
    await user.click(make);
    const folder = screen.getByRole('textbox', { name: /^In the folder/ });
    await waitFor(() => expect(folder).toHaveFocus());
    expect(folder).toHaveAccessibleDescription(/^\/gone is not there\./);
    expect(screen.queryByRole('alert')).toBeNull();
    await user.type(folder, '/x');
    expect(folder).not.toBeInvalid();
  });
});
