import { ORPCError } from '@orpc/client';
import { within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { BucketUpload } from '#contract/app/bucket.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { UploadsBlock } from './UploadsBlock.tsx';

const film: BucketUpload = {
  path: 'in/00000000-0000-4000-8000-000000000001/film.mp4',
  name: 'film.mp4',
  sizeBytes: 24 * 1024 * 1024,
  uploadedAt: Date.UTC(2026, 10, 25, 8),
};
const scan: BucketUpload = {
  path: 'in/00000000-0000-4000-8000-000000000002/scan.png',
  name: 'scan.png',
  sizeBytes: 1024 * 1024,
  uploadedAt: Date.UTC(2026, 10, 24, 8),
};

/** The block with two files; removals are noted, and refused with `refusal`. */
function renderUploads(uploads: BucketUpload[], refusal?: Error) {
  const removed: string[] = [];
  const { screen, user } = renderPage(<UploadsBlock />, {
    bucket: {
      uploads: () => uploads,
      discard({ path }) {
        if (refusal) throw refusal;
        removed.push(path);
      },
    },
  });
  const rows = () =>
    within(screen.getByRole('table', { name: 'Uploaded files' }))
      .getAllByRole('row')
      .slice(1);
  async function askToRemove(name: string): Promise<HTMLElement> {
    await user.click(await screen.findByRole('button', { name: `More for ${name}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove from the bucket…' }));
    return screen.findByRole('dialog', { name: 'Remove the file from the bucket?' });
  }
  return { screen, user, removed, rows, askToRemove };
}

describe('the uploaded files', () => {
  it('are listed with their times and sizes, and the sum of them', async () => {
    const { screen, rows } = renderUploads([film, scan]);
    expect(await screen.findByText(/^2 files, 25 MB\./)).toBeVisible();
    expect(rows()[0]).toHaveTextContent(/film\.mp4.*2026.*24 MB/);
    expect(rows()[1]).toHaveTextContent(/scan\.png.*2026.*1\.0 MB/);
  });

  it('leave the list once they are removed, which is asked first', async () => {
    const { screen, user, removed, rows, askToRemove } = renderUploads([film, scan]);
    const dialog = await askToRemove('film.mp4');
    expect(removed).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Remove it' }));
    expect(await screen.findByText(/^1 file, 1\.0 MB\./)).toBeVisible();
    expect(removed).toEqual([film.path]);
    expect(rows()).toHaveLength(1);
  });

  it('stay with the reason where the bucket refuses', async () => {
    const refusal = new ORPCError('FORBIDDEN', { message: 'The key may not remove files.' });
    const { user, rows, askToRemove } = renderUploads([film], refusal);
    const dialog = await askToRemove('film.mp4');
    await user.click(within(dialog).getByRole('button', { name: 'Remove it' }));
    expect(await within(dialog).findByText('The key may not remove files.')).toBeVisible();
    expect(rows()).toHaveLength(1);
  });

  it('are announced where there is none yet', async () => {
    const { screen } = renderUploads([]);
    expect(await screen.findByText(/^Files that Hangar uploads to this bucket are listed here/)).toBeVisible();
  });
});
