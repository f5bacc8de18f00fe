import { cleanup, waitFor } from '@testing-library/react';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SshSettings } from '#contract/app/ssh.ts';
import type { SshNow } from '#contract/bridge/ssh.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { queryClient } from '../../client/transport/orpc.ts';
import { SshTab } from './SshTab.tsx';
import { commandsNow } from '../../state/commands.ts';

const host = window.hangarHost;
const setHost = (value: unknown) => Object.defineProperty(window, 'hangarHost', { configurable: true, value });
afterAll(() => void setHost(host));

function renderTab(offers: SshNow['offers'] = []) {
  const settings: SshSettings = { identity: { from: 'auto' }, keepsShells: true };
  const now = { settings, offers, problem: null, locked: false, hosts: [] };
  const changes: unknown[] = [];
  const server = { host: '', port: null, chosenPort: null, usualPort: 47_822, problem: null, notice: null, keys: [] };
  const page = renderPage(<SshTab />, {
    accounts: { list: () => [thisComputer] },
    machine: { sshServer: () => server },
    ssh: {
      now: () => now,
      change: (change) => {
        changes.push(change);
        return now;
      },
    },
    host: {
      pickFile: () => '/home/ann/.ssh/work',
      listFolder: ({ path }) => ({
        path: path.includes('/.ssh/') ? '/home/ann/.ssh' : '/home/ann',
        rest: path.endsWith('id_ed25519') ? 'id_ed25519' : '',
        parent: '/',
        home: '/home/ann',
        entries: path.includes('/.ssh/') ? [{ name: 'id_ed25519', isFolder: false }] : [],
        isCut: false,
      }),
    },
  });
  return { ...page, changes };
}

it('speaks of a line to add only while there is a public key', async () => {
  const without = renderTab();
  await without.screen.findByText(/A Pod accepts the public keys/);
  expect(without.screen.queryByText(/the line below/)).toBeNull();
  cleanup();
  queryClient.clear();
  const line = 'ssh-ed25519 AAAA ann@home';
  const { screen } = renderTab([{ from: 'agent', algorithm: 'ssh-ed25519', fingerprint: 'SHA256:abc', line }]);
  expect(await screen.findByText(/Add the line below to the account/)).toBeVisible();
});

describe('the file of the SSH key', () => {
  it('is chosen in the dialog of the system in the desktop program', async () => {
    const { screen, user, changes } = renderTab();
    await user.click(await screen.findByRole('radio', { name: 'File' }));
    expect(commandsNow().map(({ label }) => label)).toContain('SSH key: Agent');
    await user.click(screen.getByRole('button', { name: 'Choose a file…' }));
    const field = screen.getByRole('textbox', { name: 'Key file' });
    await waitFor(() => expect(field).toHaveValue('/home/ann/.ssh/work'));
    await user.click(screen.getByRole('button', { name: 'Use it' }));
    await waitFor(() => expect(changes).toEqual([{ identity: { from: 'file', path: '/home/ann/.ssh/work' } }]));
  });

  describe('in a browser', () => {
    beforeAll(() => void setHost(undefined));

    it('is chosen in a dialog that begins where keys are', async () => {
      const { screen, user } = renderTab();
      await user.click(await screen.findByRole('radio', { name: 'File' }));
      await user.click(screen.getByRole('button', { name: 'Choose a file…' }));
      await user.click(await screen.findByRole('button', { name: 'id_ed25519' }));
      const choose = screen.getByRole('button', { name: 'Choose this file' });
      await waitFor(() => expect(choose).not.toHaveAttribute('aria-disabled'));
      await user.click(choose);
      await waitFor(() =>
        expect(screen.getByRole('textbox', { name: 'Key file' })).toHaveValue('/home/ann/.ssh/id_ed25519'),
      );
    });
  });
});
