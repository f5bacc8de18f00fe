import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { SshServerFacts } from '#contract/local/ssh/podSsh.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { PodSshBlock } from './PodSshBlock.tsx';

const KEY = 'ssh-ed25519 AAAA ann@home';
const closed: SshServerFacts = {
  host: '127.0.0.1',
  port: null,
  chosenPort: null,
  usualPort: 47_822,
  problem: null,
  notice: null,
  keys: [],
};

/** The block over a server that takes each change as it is. */
function renderBlock(fields: Partial<SshServerFacts> = {}) {
  let server = { ...closed, ...fields };
  const changes: unknown[] = [];
  const page = renderPage(<PodSshBlock />, {
    accounts: { list: () => [thisComputer] },
    machine: {
      sshServer: () => server,
      changeSshServer: ({ change }) => {
        changes.push(change);
        const { keys, port } = change;
        server = {
          ...server,
          ...(port !== undefined && { chosenPort: port }),
          ...(keys && { keys: keys.map((line) => ({ line, fingerprint: 'SHA256:abc' })) }),
        };
        return server;
      },
    },
  });
  return { ...page, changes };
}

it('the usual port is shown where none is chosen, another one is set by the button, and an emptied field chooses none', async () => {
  const { screen, user, changes } = renderBlock();
  const field = await screen.findByLabelText('Port');
  expect(field).toHaveAttribute('placeholder', '47822');
  const change = screen.getByRole('button', { name: 'Change the port' });
  expect(change).toHaveAccessibleDescription('Nothing has changed.');
  await user.type(field, '2222');
  await user.tab();
  expect(changes).toEqual([]);
  await user.click(change);
  await waitFor(() => expect(changes).toEqual([{ port: 2222 }]));
  expect(await screen.findByText('Default: 47822')).toBeVisible();
  await user.type(field, '{Control>}a{/Control}{Backspace}{Enter}');
  await waitFor(() => expect(changes).toEqual([{ port: 2222 }, { port: null }]));
});

it('it says where the server listens, and what is unusual', async () => {
  const { screen } = renderBlock({ port: 41_000, notice: 'Port 47822 cannot be used.' });
  expect(await screen.findByText(/listens at 127\.0\.0\.1:41000/)).toBeVisible();
  expect(screen.getByText(/Port 47822 cannot be used/)).toBeVisible();
});

it('a chosen port that cannot be used says so below its field', async () => {
  const { screen } = renderBlock({ chosenPort: 80, problem: 'Port 80 is taken by another program.' });
  expect(await screen.findByLabelText('Port')).toHaveAccessibleDescription(/Port 80 is taken/);
  expect(screen.getByText(/cannot listen at the chosen port/)).toBeVisible();
});

it('a key is allowed by its line, and removed by its name', async () => {
  const { screen, user, changes } = renderBlock({ keys: [{ line: KEY, fingerprint: 'SHA256:abc' }] });
  const other = 'ssh-rsa BBBB bob@work';
  await user.type(await screen.findByLabelText('Public key to allow'), ` ${other} `);
  await user.click(screen.getByRole('button', { name: 'Allow this key' }));
  await screen.findByText('bob@work');
  expect(screen.getByLabelText('Public key to allow')).toHaveValue('');
  await user.click(screen.getByRole('button', { name: 'Remove the key ann@home' }));
  await waitFor(() => expect(screen.queryByText('ann@home')).toBeNull());
  expect(changes).toEqual([{ keys: [KEY, other] }, { keys: [other] }]);
});
