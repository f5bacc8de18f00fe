import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import type { NewHandler } from '#contract/app/endpointReadModels.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { NewHandlerForm } from './NewHandlerForm.tsx';

function renderForm(refusal: string | null = null, folder = '') {
  const requests: NewHandler[] = [];
  const shown: string[] = [];
  const opened: string[] = [];
  const page = renderPage(
    <NewHandlerForm folder={folder} onOpen={(id) => opened.push(id)} onClose={() => undefined} />,
    {
      endpoints: {
        newHandler: (wanted) => {
          requests.push(wanted);
          if (refusal !== null) throw new ORPCError('CONFLICT', { status: 409, message: refusal });
          return { endpointId: 'e1', folder: '/p/greeter', file: '/p/greeter/handler.py' };
        },
      },
      host: {
        pickFolder: () => '/p',
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
    expect(make).toBeDisabled();
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'greeter');
    await user.click(screen.getByRole('button', { name: 'Choose a folder…' }));
    expect(await screen.findByDisplayValue('/p')).toBeVisible();
    await user.click(make);
    expect(await screen.findByText('greeter is ready for jobs')).toBeVisible();
    expect(screen.getByText('/p/greeter')).toBeVisible();
    expect(requests).toEqual([{ parent: '/p', name: 'greeter', language: 'python' }]);
    expect(shown).toEqual(['/p/greeter/handler.py']);
    await user.click(screen.getByRole('button', { name: 'Show the endpoint' }));
    expect(opened).toEqual(['e1']);
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
    expect(screen.getByRole('button', { name: 'Create the handler' })).toBeDisabled();
    expect(requests).toEqual([]);
  });

  it('says why it was refused, and keeps what was typed', async () => {
    const { user, screen } = renderForm('/p already contains greeter. Choose another name or another folder.');
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'greeter');
    await user.click(screen.getByRole('button', { name: 'Create the handler' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('/p already contains greeter.');
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('greeter');
  });
});
