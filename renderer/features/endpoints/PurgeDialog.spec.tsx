import { describe, expect, it } from 'vitest';
import { endpointRow } from '../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { PurgeDialog } from './PurgeDialog.tsx';

const rowWith = (inQueue: number, inProgress: number) => ({
  ...endpointRow(null),
  health: {
    jobs: { inQueue, inProgress, completed: 0, failed: 0, retried: 0 },
    workers: { idle: 0, running: 0, initializing: 0, ready: 0, throttled: 0, unhealthy: 0 },
  },
});

describe('the question before a queue is purged', () => {
  it('says how many jobs wait and run, and afterwards how many were removed', async () => {
    const purged: string[] = [];
    let isOpen = true;
    const { screen, user } = renderPage(
      <PurgeDialog accountId="a" row={rowWith(3, 1)} opened onClose={() => (isOpen = false)} />,
      {
        endpoints: {
          purge({ endpointId }) {
            purged.push(endpointId);
            // One more came before the person confirmed.
            return { removed: 4 };
          },
        },
      },
    );
    const dialog = await screen.findByRole('dialog', { name: 'Purge the queue of greeter?' });
    expect(dialog).toHaveTextContent('3 jobs wait and will be cancelled.');
    expect(dialog).toHaveTextContent('1 running job continues.');
    expect(purged).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Remove 3 jobs' }));
    expect(await screen.findByText('Removed 4 jobs')).toBeVisible();
    expect([purged, isOpen]).toEqual([['e'], false]);
  });

  it('says of one job that it waits', async () => {
    const { screen } = renderPage(<PurgeDialog accountId="a" row={rowWith(1, 0)} opened onClose={() => undefined} />);
    expect(await screen.findByRole('dialog')).toHaveTextContent('1 job waits and will be cancelled.');
  });

  it('says that none wait where that is so', async () => {
    const { screen } = renderPage(<PurgeDialog accountId="a" row={rowWith(0, 0)} opened onClose={() => undefined} />);
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('No jobs are waiting.');
    expect(dialog).toHaveTextContent('None are running.');
    expect(screen.getByRole('button', { name: 'Purge' })).toBeVisible();
  });
});
