import { describe, expect, it } from 'vitest';
import type { ShownKey } from '#contract/bridge/apiKey.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { KeyMaker } from './KeyMaker.tsx';

function renderMaker(shown: ShownKey, from = 'Endpoint words') {
  const requests: { accountId: string; name: string; scope?: string | undefined }[] = [];
  const page = renderPage(<KeyMaker accountId="a" from={from} />, {
    apiKeys: {
      create: (input) => {
        requests.push(input);
        const { name } = input;
        return {
          record: {
            id: 'k1',
            name,
            scope: 'jobs',
            endpointIds: [],
            disabled: false,
            last4: 'abcd',
            createdAt: '2026-01-01T00:00:00Z',
            lastUsedAt: null,
          },
          shown,
        };
      },
    },
  });
  return { ...page, requests };
}

describe('a key in one click', () => {
  it('is named after its place, may only send and read jobs, and is copied by the desktop', async () => {
    const { user, screen, requests } = renderMaker({ how: 'clipboard' });
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    expect(await screen.findByText(/Copied\. It is called "Endpoint words"/)).toBeVisible();
    expect(requests).toEqual([{ accountId: 'a', name: 'Endpoint words', scope: 'jobs' }]);
    expect(screen.getByRole('link', { name: 'All keys' })).toHaveAttribute('href', '#/settings/keys');
  });

  it('has its name cut where the place has a longer one than a key may have', async () => {
    const { user, screen, requests } = renderMaker({ how: 'clipboard' }, `Endpoint ${'x'.repeat(191)}`);
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    await screen.findByText(/^ ?Copied/);
    expect(requests[0]?.name).toHaveLength(100);
  });

  it('is shown by the host once in a browser, which never gets it', async () => {
    const { user, screen } = renderMaker({ how: 'link', path: '/keys/once', until: Date.now() + 60_000 });
    await user.click(screen.getByRole('button', { name: 'Create a key and copy' }));
    const link = await screen.findByRole('link', { name: 'Show the key once, to copy it' });
    expect(link).toHaveAttribute('href', '/keys/once');
    await user.click(link);
    expect(await screen.findByText(/It was shown in its own tab/)).toBeVisible();
  });
});
