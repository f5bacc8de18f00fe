import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ApiKeyRecord } from '#contract/local/engine.ts';
import { loseApp } from '../../../../test/support/page/app.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { endpointSummary } from '../../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { ApiKeys } from './ApiKeys.tsx';
import { commandsNow } from '../../../state/commands.ts';

const nightly: ApiKeyRecord = {
  id: 'key1',
  name: 'nightly',
  scope: 'endpoints',
  endpointIds: ['here', 'gone'],
  disabled: false,
  last4: 'abcd',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
};
const endpoint = endpointSummary({ id: 'here', name: 'prime-factors', runtime: null });

const renderTab = (records: ApiKeyRecord[]) =>
  renderPage(<ApiKeys />, {
    accounts: { list: () => [thisComputer] },
    apiKeys: { list: () => records },
    endpoints: { list: () => [endpoint] },
  });

describe('the API keys', () => {
  it('name an endpoint that is gone as such', async () => {
    const { screen } = renderTab([nightly]);
    expect(await screen.findByText('prime-factors, gone (deleted)')).toBeVisible();
  });

  it('stay while Hangar is away, with their time', async () => {
    const { screen } = renderTab([nightly]);
    await screen.findByText(/^prime-factors/);
    await act(loseApp);
    expect(screen.getByRole('status')).toHaveTextContent(/^Last known, .* · offline$/);
    expect(screen.getByRole('row', { name: /^nightly/ })).toBeVisible();
  });

  it('offer a pairing link, and say that this computer cannot be reached as it listens now', async () => {
    const { screen, user } = renderPage(<ApiKeys />, {
      accounts: { list: () => [thisComputer] },
      apiKeys: {
        list: () => [],
        pair: () => ({
          addresses: ['http://127.0.0.1:47800'],
          isOpen: false,
          expiresAt: '2099-01-01T00:00:00.000Z',
          shown: { how: 'link', path: '/new-key/1', until: Date.parse('2099-01-01') },
        }),
      },
      endpoints: { list: () => [] },
    });
    await user.click(await screen.findByRole('button', { name: 'Pair another computer' }));
    await user.click(await screen.findByRole('button', { name: 'Create the link' }));
    expect(await screen.findByText('ssh -L 47800:127.0.0.1:47800 HOST')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Show the link' })).toHaveAttribute('href', '/new-key/1');
    // Out of habit: the link could not be shown again.
    await user.keyboard('{Escape}');
    expect(screen.getByRole('link', { name: 'Show the link' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close without the link' }));
    await expect.poll(() => screen.queryByRole('link', { name: 'Show the link' })).toBeNull();
  });

  it('have names that a person gives once: a second one of the name is refused at the field', async () => {
    const { screen, user } = renderTab([nightly, { ...nightly, id: 'key2', name: 'weekly' }]);
    const refused = 'Another key has this name. Enter another one.';
    await user.click(await screen.findByRole('button', { name: 'New key' }));
    const name = await screen.findByRole('textbox', { name: /^Name/ });
    await user.type(name, ' nightly ');
    expect(name).toHaveAccessibleDescription(new RegExp(refused));
    expect(screen.getByRole('button', { name: 'Create the key' })).toHaveAccessibleDescription(refused);
    await user.type(name, '2');
    expect(name).toBeValid();
    expect(screen.getByRole('button', { name: 'Create the key' })).not.toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
  });

  it('keep their own name when they are changed, and cannot take that of another one', async () => {
    const { screen, user } = renderTab([nightly, { ...nightly, id: 'key2', name: 'weekly' }]);
    await user.click(await screen.findByRole('button', { name: 'More for nightly' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Change…' }));
    const name = await screen.findByRole('textbox', { name: /^Name/ });
    expect(name).toBeValid();
    await user.clear(name);
    await user.type(name, 'weekly');
    expect(name).toBeInvalid();
  });

  it('can be made where there is none', async () => {
    const { screen } = renderTab([]);
    expect(await screen.findByText(/^There are no keys for/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'New key' })).toBeEnabled();
    expect(commandsNow().map(({ label }) => label)).toContain('New API key for this computer');
  });
});
