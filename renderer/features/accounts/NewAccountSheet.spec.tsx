import { act, waitFor } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccountStart } from '#contract/app/hostMessage.ts';
import type { AccountPreset, AccountProbe } from '#contract/bridge/account.ts';
import type { SecretsState } from '#contract/bridge/secrets.ts';
import type { AccountDraft } from '#contract/app/accountDraft.ts';
import { useEngine } from '../../client/engine.ts';
import { showNewAccount } from '../../state/overlays.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { engineStatusOf } from '../../../test/support/accounts/engineStatus.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { NewAccountSheet } from './NewAccountSheet.tsx';

const engine: AccountPreset = {
  id: 'engine',
  title: 'An engine',
  about: '',
  kind: 'engine',
  dialect: 'v1',
  addresses: { jobs: null, management: null, graphql: null },
  fields: [{ area: 'jobs', label: 'Address', required: true }],
  keyHint: '',
};

const cloud: AccountPreset = {
  id: 'runpod',
  title: 'A cloud',
  about: '',
  kind: 'cloud',
  dialect: 'v2',
  addresses: { jobs: 'https://jobs.cloud.example/v2', management: 'https://rest.cloud.example/v2', graphql: null },
  fields: [
    { area: 'jobs', label: 'Jobs', required: true },
    { area: 'management', label: 'REST', required: true },
  ],
  keyHint: '',
};

const keychain: SecretsState = {
  kind: 'keychain',
  chosen: false,
  problem: null,
  keychainProblem: null,
  filePath: '/data/keys',
  fileExists: false,
  entries: 0,
  outlivesRun: true,
};

const offline: AccountProbe = {
  capabilities: [],
  lacks: [],
  state: 'offline',
  reason: 'Cannot reach An engine (ECONNREFUSED).',
  nextTryAt: null,
};

/** What the app answers in place of the usual refusals. */
interface Answers {
  probe?: AccountProbe;
  refusal?: ORPCError<string, unknown>;
}

async function renderSheet(
  preset = engine,
  start: AccountStart | null = null,
  secrets = keychain,
  { probe = offline, refusal = new ORPCError('UNAUTHORIZED', { message: 'Unknown key.' }) }: Answers = {},
) {
  const drafts: AccountDraft[] = [];
  const passphrases: (string | undefined)[] = [];
  const page = renderPage(<NewAccountSheet onAdded={() => undefined} />, {
    secrets: {
      state: () => secrets,
      choose: ({ passphrase }) => {
        passphrases.push(passphrase);
        return { ...secrets, kind: 'file', chosen: true, fileExists: true };
      },
    },
    accounts: {
      list: () => [thisComputer, { ...thisComputer, id: 'far', name: 'Taken' }],
      presets: () => [preset],
      probe: () => probe,
      add: ({ draft }) => {
        drafts.push(draft);
        throw refusal;
      },
    },
  });
  act(() => showNewAccount(true, start));
  const add = await page.screen.findByRole('button', { name: /^Add this/ });
  return { ...page, add, drafts, passphrases, key: page.screen.getByLabelText(/^API key/) };
}

afterEach(() => act(() => showNewAccount(false)));

describe('the sheet for a new account', () => {
  it('says at each field what is missing, and sends nothing before', async () => {
    const { screen, user, add, drafts, key } = await renderSheet();
    expect(screen.queryByText(/^Enter /)).toBeNull();
    await user.click(add);
    expect(screen.getByLabelText(/^Address/)).toHaveAccessibleDescription('Enter an address.');
    expect(screen.getByText('Enter the key.')).toBeVisible();
    await user.type(screen.getByLabelText(/^Address/), 'far:47800');
    await user.type(key, 'k1');
    expect(screen.queryByText(/^Enter /)).toBeNull();
    expect(drafts).toEqual([]);
  });

  it('marks the fields that must be filled, and no others', async () => {
    const { screen, key } = await renderSheet();
    expect(screen.getByLabelText(/^Address/)).toBeRequired();
    expect(key).toBeRequired();
    expect(screen.getByLabelText('Name')).not.toBeRequired();
  });

  it('says at the address why a test of the connection failed, with the focus, until it is changed', async () => {
    const { screen, user, key } = await renderSheet();
    const address = screen.getByLabelText(/^Address/);
    await user.type(address, 'far:47800');
    await user.type(key, 'k1');
    await user.click(screen.getByRole('button', { name: 'Test the connection' }));
    await waitFor(() => expect(address).toHaveFocus());
    expect(address).toHaveAccessibleDescription(/^Nothing answers at its address\. Check the address and its port/);
    expect(key).toHaveValue('k1');
    await user.type(address, '1');
    expect(address).not.toBeInvalid();
  });

  it('says at the key that a test was refused, and what to do', async () => {
    const probe = { ...offline, state: 'refused', reason: 'Unknown key.' } as const;
    const { screen, user, key } = await renderSheet(engine, null, keychain, { probe });
    await user.type(screen.getByLabelText(/^Address/), 'far:47800');
    await user.type(key, 'k1');
    await user.click(screen.getByRole('button', { name: 'Test the connection' }));
    await waitFor(() => expect(key).toHaveFocus());
    expect(key).toHaveAccessibleDescription(/^The other computer refused this key\. .*create a key there/);
  });

  it('says of the own address that it is this computer, whatever the key is', async () => {
    useEngine.setState({ status: engineStatusOf({ address: 'http://127.0.0.1:47800' }) });
    const probe = { ...offline, state: 'refused', reason: 'Unknown key.' } as const;
    const { screen, user, key } = await renderSheet(engine, null, keychain, { probe });
    const address = screen.getByLabelText(/^Address/);
    await user.type(address, 'localhost:47800');
    await user.type(key, 'wrong-key');
    await user.click(screen.getByRole('button', { name: 'Test the connection' }));
    await waitFor(() => expect(address).toHaveFocus());
    expect(address).toHaveAccessibleDescription(/^This is the address of this computer/);
    useEngine.setState({ status: null });
  });

  it('keeps the key where only the address is wrong, and says it there', async () => {
    const message = 'Address: this is not an address.';
    const refusal = new ORPCError('BAD_REQUEST', { message, data: { field: 'jobs' } });
    const { screen, user, add, key } = await renderSheet(engine, null, keychain, { refusal });
    const address = screen.getByLabelText(/^Address/);
    await user.type(address, 'no address');
    await user.type(key, 'k1');
    await user.click(add);
    await waitFor(() => expect(address).toHaveFocus());
    expect(address).toHaveAccessibleDescription('This is not an address. Nothing was saved.');
    expect(key).toHaveValue('k1');
  });

  it('asks for the key first where the addresses are known, which are folded and sent as they are', async () => {
    const { screen, user, add, drafts, key } = await renderSheet(cloud);
    const jobs = screen.getByLabelText(/^Jobs/);
    expect(jobs).not.toBeVisible();
    expect(key.compareDocumentPosition(jobs)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.getByText('jobs.cloud.example, rest.cloud.example')).toBeVisible();
    await user.type(key, 'k1');
    await user.click(add);
    await waitFor(() => expect(drafts).toMatchObject([{ addresses: cloud.addresses, key: 'k1' }]));
  });

  it('shows the addresses that a link brings, and one that is missing', async () => {
    const brought = { jobs: 'https://elsewhere.example/v2', management: null, graphql: null };
    const { screen, user, add } = await renderSheet(cloud, { preset: 'runpod', name: '', addresses: brought });
    expect(screen.getByLabelText(/^Jobs/)).toBeVisible();
    await user.click(screen.getByText('Addresses'));
    expect(screen.getByLabelText(/^Jobs/)).not.toBeVisible();
    await user.click(screen.getByText('Addresses'));
    await user.clear(screen.getByLabelText(/^REST/));
    await user.click(screen.getByText('Addresses'));
    await user.click(add);
    await waitFor(() => expect(screen.getByLabelText(/^REST/)).toBeVisible());
    expect(screen.getByLabelText(/^REST/)).toHaveAccessibleDescription('Enter an address.');
  });

  it('takes a pairing link for address and key, and lets the engine tell its name', async () => {
    const { screen, user, add, drafts, key } = await renderSheet();
    await user.click(screen.getByLabelText(/^Address/));
    await user.paste('http://gpu-box:47800/#pair_0a1b');
    expect(screen.getByLabelText(/^Address/)).toHaveValue('http://gpu-box:47800');
    expect(key).toHaveValue('pair_0a1b');
    expect(screen.getByLabelText('Name')).toHaveAttribute('placeholder', 'The name of that computer');
    expect(screen.getByText(/^A pairing link:/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Test the connection' })).toHaveAccessibleDescription(
      'A test would use up the pairing code.',
    );
    await user.click(add);
    await waitFor(() => expect(drafts).toMatchObject([{ name: null, key: 'pair_0a1b' }]));
  });

  it('says at once that the link of the page is the wrong one, and does not ask for a key', async () => {
    const { screen, user, add, drafts } = await renderSheet();
    await user.click(screen.getByLabelText(/^Address/));
    await user.paste('http://gpu-box:47801/?pair=0a1b');
    expect(screen.getByLabelText(/^Address/)).toHaveAccessibleDescription(/^This link opens Hangar in a browser\./);
    await user.click(add);
    expect(screen.getByLabelText(/^Address/)).toHaveAccessibleDescription(/^This link opens Hangar in a browser\./);
    expect(screen.queryByText('Enter the key.')).toBeNull();
    expect(drafts).toEqual([]);
  });

  it('says that another account has the name before it sends the key', async () => {
    const { screen, user, add, drafts, key } = await renderSheet();
    await user.type(screen.getByLabelText(/^Address/), '127.0.0.1:47800');
    await user.type(key, 'k1');
    await user.type(screen.getByLabelText('Name'), 'taken');
    expect(screen.getByLabelText('Name')).toHaveAccessibleDescription(/^Another account has this name\./);
    await user.click(add);
    expect([drafts, key]).toEqual([[], expect.objectContaining({ value: 'k1' })]);
  });

  it('says where the key will be kept', async () => {
    const { screen } = await renderSheet();
    expect(await screen.findByText("The key is kept in the system's keychain.")).toBeVisible();
  });

  it('says that the key ends with Hangar where nothing else was chosen, and makes the encrypted file', async () => {
    const { screen, user, passphrases, drafts } = await renderSheet(engine, null, { ...keychain, kind: 'memory' });
    expect(await screen.findByText('The key is kept in memory only.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Use an encrypted file…' }));
    await user.type(screen.getByLabelText('A passphrase for the encrypted file'), 'long enough{Enter}');
    expect(await screen.findByText('The key is kept in the encrypted file.')).toBeVisible();
    expect(passphrases).toEqual(['long enough']);
    expect(drafts).toEqual([]);
    expect(screen.queryByText('Enter an address.')).toBeNull();
  });

  it('keeps a key that is refused, as a test of it does, and says at its field why', async () => {
    const { screen, user, add, drafts, key } = await renderSheet();
    await user.type(screen.getByLabelText(/^Address/), 'far:47800');
    await user.type(key, 'k1');
    await user.click(add);
    await waitFor(() => expect(key).toHaveFocus());
    expect(key).toHaveAccessibleDescription(/^The other computer refused this key\..* Nothing was saved\./);
    expect(key).toHaveValue('k1');
    const addresses = { jobs: 'far:47800', management: null, graphql: null };
    expect(drafts).toEqual([{ preset: 'engine', name: null, addresses, key: 'k1' }]);
  });

  it('repeats what the other computer says of a pairing code', async () => {
    const refusal = new ORPCError('UNAUTHORIZED', { message: 'This pairing code was used already.' });
    const { screen, user, add, key } = await renderSheet(engine, null, keychain, { refusal });
    await user.click(screen.getByLabelText(/^Address/));
    await user.paste('http://gpu-box:47800/#pair_0a1b');
    await user.click(add);
    await waitFor(() => expect(key).toHaveFocus());
    expect(key).toHaveAccessibleDescription(/^This pairing code was used already\. Nothing was saved\./);
  });
});
