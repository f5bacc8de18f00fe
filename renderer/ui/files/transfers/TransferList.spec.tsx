import { waitFor, within } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { afterEach, describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import {
  createFolderMaker,
  download,
  forgetTransfers,
  upload,
  useTransfers,
  type Transfer,
} from '../../../client/files/transfers.ts';
import { TransferList } from './TransferList.tsx';

const holder = { in: 'volume', id: 'v1' } as const;
const place = (path: string) => ({ accountId: 'a', holder, path });
/** Without bytes: those would have to go through a connection that jsdom cannot pack them for. */
const fileOf = (name: string) => new File([], name, { lastModified: 1 });
const list = <TransferList accountId="a" holder={holder} />;

/** Writes this into the first transfer, as its work does. */
const note = (fields: Partial<Transfer>): void =>
  useTransfers.setState((before) => ({ list: before.list.map((one) => ({ ...one, ...fields })) }));

afterEach(() => forgetTransfers(useTransfers.getState().list.map(({ id }) => id)));

describe('a transfer', () => {
  it('shows its speed and the time left while it runs, and is cancelled at once', async () => {
    let cancelled = '';
    const { screen, user } = renderPage(list, {
      files: {
        beginUpload: () => ({ uploadId: 'u1' }),
        endUpload: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
        cancelUpload: ({ uploadId, keeps }) => void (cancelled = `${uploadId} ${keeps}`),
      },
    });
    upload(place('model.bin'), fileOf('model.bin'));
    await screen.findByRole('progressbar', { name: 'Upload of model.bin' });
    const now = Date.now();
    const MB = limits.page.pieceBytes;
    const progress = [
      { at: now - 2000, doneBytes: 0 },
      { at: now, doneBytes: 20 * MB },
    ];
    note({ sizeBytes: 620 * MB, doneBytes: 20 * MB, progress });
    expect(await screen.findByText(/^20 MB of 620 MB · [\d.]+ MB\/s, .* left$/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel model.bin' }));
    expect(await screen.findByText('Cancelled')).toBeVisible();
    await waitFor(() => expect(cancelled).toBe('u1 false'));
  });

  it('that failed or was cancelled says why, and runs again', async () => {
    let isAway = true;
    const { screen, user } = renderPage(list, {
      files: {
        beginUpload() {
          if (isAway) throw new ORPCError('UNAVAILABLE', { message: 'The Pod is away.' });
          return { uploadId: 'u1' };
        },
        endUpload: () => undefined,
      },
    });
    upload(place('up.txt'), fileOf('up.txt'));
    expect(await screen.findByText('Failed: The Pod is away.')).toBeVisible();
    isAway = false;
    await user.click(screen.getByRole('button', { name: 'Try again: up.txt' }));
    expect(await screen.findByText('Done, 0 B')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Try again/ })).toBeNull();
  });

  it('from a volume runs again, too', async () => {
    let reads = 0;
    const { screen, user } = renderPage(list, {
      files: {
        read() {
          reads += 1;
          throw new ORPCError('UNAVAILABLE', { message: `The engine is away, ${reads}.` });
        },
      },
    });
    download(place('down.txt'), 1);
    expect(await screen.findByText('Failed: The engine is away, 1.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again: down.txt' }));
    expect(await screen.findByText('Failed: The engine is away, 2.')).toBeVisible();
  });

  it('into a file that exists replaces it once the person says so, for all of them at once', async () => {
    const begun: string[] = [];
    const { screen, user } = renderPage(list, {
      files: {
        beginUpload({ path, replaces }) {
          if (!replaces) throw new ORPCError('CONFLICT', { message: `${path} exists already.` });
          begun.push(path);
          return { uploadId: path };
        },
        endUpload: () => undefined,
      },
    });
    for (const name of ['a', 'b', 'c']) upload(place(name), fileOf(name));
    await user.click(await screen.findByRole('button', { name: 'Replace all 3' }));
    expect(await screen.findByText('3 of 3 done')).toBeVisible();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('that runs stands before those that are done, and is named with its folder if there are several', async () => {
    let cancelled = '';
    const { screen, user } = renderPage(list, {
      files: {
        makeFolder: () => undefined,
        cancelUpload: ({ uploadId }) => void (cancelled = uploadId),
        beginUpload: ({ path }) => ({ uploadId: path }),
        endUpload: ({ uploadId }, signal) =>
          uploadId === 'in/b/large'
            ? new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
            : undefined,
      },
    });
    const makeFolders = createFolderMaker('in');
    for (const path of ['in/a/one', 'in/a/two', 'in/b/large']) upload(place(path), fileOf(path), makeFolders);
    expect(await screen.findByText(/^2 of 3 done/)).toBeVisible();
    const [first] = screen.getAllByRole('listitem');
    expect(first).toHaveTextContent('in/b/large');
    await user.click(within(first!).getByRole('button', { name: 'Cancel large' }));
    expect(await screen.findByText('Cancelled')).toBeVisible();
    await waitFor(() => expect(cancelled).toBe('in/b/large'));
  });

  it('that is over goes from the list by "Clear finished"; a failed one stays', async () => {
    const { screen, user } = renderPage(list, {
      files: {
        beginUpload({ path }) {
          if (path === 'bad') throw new ORPCError('FORBIDDEN', { message: 'The Pod refuses bad.' });
          return { uploadId: path };
        },
        endUpload: () => undefined,
      },
    });
    for (const name of ['good', 'bad', 'fine']) upload(place(name), fileOf(name));
    expect(await screen.findByText('2 of 3 done · 1 failed')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear finished' }));
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(screen.getByRole('listitem')).toHaveTextContent('The Pod refuses bad.');
  });

  it('into a dropped folder makes the folders that are missing, each once', async () => {
    const made: string[] = [];
    const { screen } = renderPage(list, {
      files: {
        makeFolder({ path }) {
          made.push(path);
          if (path === 'in/data') throw new ORPCError('CONFLICT', { message: 'It exists.' });
        },
        beginUpload: ({ path }) => ({ uploadId: path }),
        endUpload: () => undefined,
      },
    });
    const makeFolders = createFolderMaker('in');
    for (const path of ['in/data/a', 'in/data/deep/b', 'in/data/deep/c'])
      upload(place(path), fileOf(path), makeFolders);
    expect(await screen.findByText('3 of 3 done')).toBeVisible();
    expect(made).toEqual(['in/data', 'in/data/deep']);
  });
});
