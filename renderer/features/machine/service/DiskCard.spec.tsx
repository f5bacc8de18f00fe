import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import type { DiskUsage } from '#contract/local/disk/usage.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { DiskCard } from './DiskCard.tsx';

const GB = 1024 ** 3;
const part = { count: null, freeableBytes: null, isWhole: true };
const measured: DiskUsage = {
  measuredAt: '2026-01-01T00:00:00.000Z',
  disks: [{ holds: ['data', 'containers'], totalBytes: 500 * GB, freeBytes: 200 * GB }],
  parts: [
    { ...part, kind: 'images', count: 3, bytes: 40 * GB, freeableBytes: 12 * GB },
    { ...part, kind: 'volumes', count: 1, bytes: 9 * GB, isWhole: false },
    { ...part, kind: 'reserve', bytes: 32 * 1024 ** 2 },
    { ...part, kind: 'databases', bytes: 5 * 1024 ** 2 },
  ],
  containerProblem: null,
};

function renderDisk(answers: (() => DiskUsage)[]) {
  let measurements = 0;
  const view = renderPage(<DiskCard accountId="this-machine" />, {
    accounts: { list: () => [thisComputer] },
    machine: { disk: () => answers[measurements++]!() },
  });
  return { ...view, measurements: () => measurements };
}

it('the disk is measured when a person asks for it, and says what takes how much and what can be freed', async () => {
  const { screen, user, measurements } = renderDisk([() => measured]);
  const button = await screen.findByRole('button', { name: 'Measure' });
  expect(measurements()).toBe(0);
  await user.click(button);
  expect(await screen.findByText('200 GB free of 500 GB')).toBeVisible();
  const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rows).toEqual([
    '3 imagesRemoving unused ones frees at least 12.0 GB. Remove unused…40.0 GB',
    '1 volumeat least 9.0 GB',
    'ReserveRunning jobs can end on a full disk.32 MB',
    'Databases5.0 MB',
  ]);
  expect(screen.getByRole('link', { name: 'Remove unused…' })).toHaveAttribute('href', '#/resources/images');
  expect(screen.getByText(/^Measured at /)).toBeVisible();
});

it('two disks are told apart, and what is not measured says why', async () => {
  const [disk] = measured.disks;
  const { screen, user } = renderDisk([
    () => {
      throw new ORPCError('UNAVAILABLE', { message: 'It does not answer.' });
    },
    () => ({
      ...measured,
      disks: [
        { ...disk!, holds: ['data'] },
        { ...disk!, holds: ['containers'], freeBytes: 1 * GB },
      ],
      parts: [],
      containerProblem: 'Docker does not answer.',
    }),
  ]);
  await user.click(await screen.findByRole('button', { name: 'Measure' }));
  expect(await screen.findByText('It does not answer.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Measure' }));
  expect(await screen.findByText('Docker does not answer.')).toBeVisible();
  expect(screen.getByText('Disk of images and containers')).toBeVisible();
  expect(screen.getByText('1.0 GB free of 500 GB')).toBeVisible();
});

it('the way to unused images stands there where it is not known what they free, and not where there are none', async () => {
  const images = (freeableBytes: number | null): DiskUsage => ({
    ...measured,
    parts: [{ ...part, kind: 'images', count: 3, bytes: 40 * GB, freeableBytes }],
  });
  const { screen, user } = renderDisk([() => images(null), () => images(0)]);
  await user.click(await screen.findByRole('button', { name: 'Measure' }));
  expect(await screen.findByRole('listitem')).toHaveTextContent(/^3 imagesRemove unused…40\.0 GB$/);
  await user.click(screen.getByRole('button', { name: 'Measure again' }));
  await expect.poll(() => screen.getByRole('listitem').textContent).toBe('3 imagesAll in use40.0 GB');
});
