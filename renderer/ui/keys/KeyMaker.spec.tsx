import { act, cleanup } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ShownKey } from '#contract/bridge/apiKey.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { navigate } from '../../state/route.ts';
import { KeyMaker } from './KeyMaker.tsx';

const record = {
  id: 'k1',
  name: '',
  scope: 'jobs' as const,
  endpointIds: [],
  disabled: false,
  last4: 'abcd',
  createdAt: '2026-01-01T00:00:00Z',
  lastUsedAt: null,
};

afterEach(() => vi.restoreAllMocks());

function renderMaker(
  shown: ShownKey,
  from: string,
  names: readonly string[] = [],
  endpoint: Parameters<typeof KeyMaker>[0]['endpoint'] = null,
) {
  const requests: {
    accountId: string;
    name: string;
    scope?: string | undefined;
    endpointIds?: string[] | undefined;
  }[] = [];
  const page = renderPage(<KeyMaker accountId="a" from={from} endpoint={endpoint} />, {
    apiKeys: {
      list: () => names.map((name) => ({ ...record, name })),
      create: (input) => {
        requests.push(input);
        return { record: { ...record, name: input.name }, shown };
      },
    },
  });
  return { ...page, requests };
}

describe('a key in one click', () => {
  it('is named after its place, may only send and read jobs, and is copied by the desktop', async () => {
    const { user, screen, requests } = renderMaker({ how: 'clipboard' }, 'Endpoint words');
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    expect(
      await screen.findByText(/Copied the key "Endpoint words"\. It sends and reads jobs of every endpoint\./),
    ).toBeVisible();
    expect(requests).toEqual([{ accountId: 'a', name: 'Endpoint words', scope: 'jobs' }]);
    expect(screen.getByRole('link', { name: 'All keys' })).toHaveAttribute('href', '#/settings/keys');
  });

  it('works only on the endpoint of its place, and says so', async () => {
    const endpoint = { id: 'e1', name: 'cards' };
    const { user, screen, requests } = renderMaker({ how: 'clipboard' }, 'Endpoint cards', [], endpoint);
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    expect(await screen.findByText(/It sends and reads jobs of cards only\./)).toBeVisible();
    expect(requests).toEqual([{ accountId: 'a', name: 'Endpoint cards', scope: 'endpoints', endpointIds: ['e1'] }]);
  });

  it('has its name cut where the place has a longer one than a key may have', async () => {
    const { user, screen, requests } = renderMaker({ how: 'clipboard' }, `Endpoint ${'x'.repeat(191)}`);
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    await screen.findByText(/^ ?Copied/);
    expect(requests[0]?.name).toHaveLength(100);
  });

  it('has a name of its own, and its place does not offer another one when it is opened again', async () => {
    const names = ['Code of words', 'Code of words 2'];
    const { user, screen, requests } = renderMaker({ how: 'clipboard' }, 'Code of words', names);
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    expect(await screen.findByText(/the key "Code of words 3"/)).toBeVisible();
    expect(requests).toHaveLength(1);
    cleanup();
    renderMaker({ how: 'clipboard' }, 'Code of words', names);
    expect(screen.getByText(/the key "Code of words 3"/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Create a key and copy' })).toBeNull();
  });

  it('has a line that goes with the page, without moving the page that opens with it, and can be made again', async () => {
    const scroll = vi.fn();
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(scroll);
    navigate({ page: 'endpoints', endpointId: 'e1', tab: 'overview' });
    const { user, screen } = renderMaker({ how: 'clipboard' }, 'Endpoint visited');
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    await screen.findByText(/^ ?Copied/);
    expect(scroll).toHaveBeenCalled();
    cleanup();
    scroll.mockClear();
    navigate({ page: 'endpoints', endpointId: 'e1', tab: 'metrics' });
    renderMaker({ how: 'clipboard' }, 'Endpoint visited');
    expect(screen.getByText(/^ ?Copied/)).toBeVisible();
    expect(scroll).not.toHaveBeenCalled();
    act(() => navigate({ page: 'jobs', entryId: null }));
    expect(screen.getByRole('button', { name: 'Create a key and copy' })).toBeVisible();
  });

  it('that nobody has seen yet keeps its link on other pages', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null);
    const until = Date.now() + 60_000;
    const { user, screen } = renderMaker({ how: 'link', path: '/keys/once', until }, 'Endpoint unseen');
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    await screen.findByRole('link', { name: 'Show the key once, to copy it' });
    act(() => navigate({ page: 'endpoints', endpointId: null, tab: 'overview' }));
    expect(screen.getByRole('link', { name: 'Show the key once, to copy it' })).toBeVisible();
  });

  it('is shown by a tab of the host in a browser, which never gets it', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(window);
    const { user, screen } = renderMaker(
      { how: 'link', path: '/keys/once', until: Date.now() + 60_000 },
      'Endpoint opened',
    );
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    expect(await screen.findByText(/^ ?The key .* is in the new tab, which shows it once\./)).toBeVisible();
    expect(open.mock.calls).toEqual([['/keys/once', '_blank']]);
  });

  it('has a link to that tab where the browser did not let it open', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null);
    const { user, screen } = renderMaker(
      { how: 'link', path: '/keys/once', until: Date.now() + 60_000 },
      'Endpoint shown',
    );
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    const link = await screen.findByRole('link', { name: 'Show the key once, to copy it' });
    expect(link).toHaveAttribute('href', '/keys/once');
    await user.click(link);
    expect(await screen.findByText(/^ ?The key .* is in the new tab, which shows it once\./)).toBeVisible();
  });
});
