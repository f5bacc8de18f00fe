import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodSshFacts } from '#contract/local/ssh/podSsh.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { noPodConnections } from '../../../../test/support/page/podConnections.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { EngineSsh } from './EngineSsh.tsx';

const pod = lenientPodSchema.parse({ id: 'p1', name: 'trainer', volumeMountPath: '/data set#1' });
const mine = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:mine' };
const offer = { ...mine, from: '/home/me/.ssh/id_ed25519', line: 'ssh-ed25519 AAAA me' };
const server: PodSshFacts = {
  host: '127.0.0.1',
  port: 47_822,
  username: 'p1',
  hostKey: 'SHA256:host',
  keys: [{ ...mine, from: 'settings', comment: 'me' }],
  problem: null,
};
const closed: PodSshFacts = { ...server, port: null, hostKey: null, keys: [], problem: 'No key may sign in yet.' };

function render(accountIds: string | string[], answers: () => PodSshFacts, allowed: string[] = []) {
  const blocks = [accountIds].flat().map((id) => <EngineSsh key={id} accountId={id} pod={pod} />);
  return renderPage(<>{blocks}</>, {
    accounts: { list: () => [thisComputer] },
    ssh: {
      server: answers,
      now: () => ({ ...noPodConnections.ssh.now(), offers: [offer] }),
      allowKey: ({ line }: { line: string }) => void allowed.push(line),
    },
  });
}

it('A Pod of this computer has its SSH command, its host key and a link to VS Code', async () => {
  const { screen } = render(THIS_MACHINE, () => server);
  expect(await screen.findByText('ssh -p 47822 p1@127.0.0.1')).toBeVisible();
  expect(screen.getByText(/SHA256:host/)).toBeVisible();
  const link = screen.getByRole('link', { name: 'Open in VS Code' });
  expect(link).toHaveAttribute('href', 'vscode://vscode-remote/ssh-remote+p1@127.0.0.1:47822/data%20set%231');
  expect(screen.queryByRole('button', { name: 'Allow this key' })).toBeNull();
});

it('A key that may not sign in yet is allowed by a click, and then the command is there', async () => {
  const allowed: string[] = [];
  const { screen, user } = render(THIS_MACHINE, () => (allowed.length > 0 ? server : closed), allowed);
  expect(await screen.findByText('No key may sign in yet.')).toBeVisible();
  expect(await screen.findByText(/SHA256:mine, from \/home\/me/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Allow this key' }));
  expect(await screen.findByText('ssh -p 47822 p1@127.0.0.1')).toBeVisible();
  expect(allowed).toEqual([offer.line]);
  expect(screen.queryByRole('button', { name: 'Allow this key' })).toBeNull();
});

it('A Pod whose SSH server has another port than usual says so below its command', async () => {
  const { screen } = render(THIS_MACHINE, () => ({ ...server, port: 40_001, notice: 'Port 47822 cannot be used.' }));
  expect(await screen.findByText('ssh -p 40001 p1@127.0.0.1')).toBeVisible();
  expect(screen.getByText('Port 47822 cannot be used.')).toBeVisible();
});

it('A Pod of another Hangar says where its command works', async () => {
  const { screen } = render('other', () => server);
  expect(await screen.findByText(/Only on the computer that runs that Hangar/)).toBeVisible();
  expect(screen.queryByRole('link')).toBeNull();
});

it('The key of this computer is not offered to the Pod of another Hangar, also once it is known', async () => {
  const { screen } = render([THIS_MACHINE, 'other'], () => closed);
  await waitFor(() => expect(screen.getAllByText('No key may sign in yet.')).toHaveLength(2));
  expect(await screen.findAllByRole('button', { name: 'Allow this key' })).toHaveLength(1);
});
