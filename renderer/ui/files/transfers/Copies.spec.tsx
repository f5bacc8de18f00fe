import { ORPCError } from '@orpc/client';
import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { copyFile, moveFile } from '../../../client/files/copying.ts';
import { forgetTransfers, useTransfers } from '../../../client/files/transfers.ts';
import { TransferList } from './TransferList.tsx';

const holder = { in: 'volume', id: 'v2' } as const;
const to = { accountId: 'a', holder, path: 'model.bin' };
const from = { accountId: 'a', holder: { in: 'volume', id: 'v1' }, path: 'models/model.bin' } as const;
const file = { sizeBytes: 1000, modifiedAt: '2026-01-01T00:00:00.000Z' };
const list = <TransferList accountId="a" holder={holder} />;
const noFolders = () => Promise.resolve();
const move = { makeFolders: noFolders, onMoved: noFolders };
const changed = () => new ORPCError('CONFLICT', { message: 'It is another file.', data: { sourceChanged: true } });

afterEach(() => forgetTransfers(useTransfers.getState().list.map(({ id }) => id)));

describe('a copy', () => {
  it('that is cancelled is removed by the app', async () => {
    const cancelled: string[] = [];
    let end = (): void => undefined;
    const { screen, user } = renderPage(list, {
      files: {
        beginUpload: () => ({ uploadId: 'u1' }),
        async *fillUpload() {
          yield { doneBytes: 400 };
          await new Promise<void>((resolve) => (end = resolve));
          throw new ORPCError('BAD_REQUEST', { message: 'The upload was cancelled.' });
        },
        cancelUpload({ uploadId, keeps }) {
          cancelled.push(`${uploadId} ${keeps}`);
          end();
        },
      },
    });
    copyFile(from, to, file, noFolders);
    expect(await screen.findByText(/^400 B of 1000 B/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel model.bin' }));
    expect(await screen.findByText('Cancelled')).toBeVisible();
    expect(cancelled).toEqual(['u1 false']);
  });

  it('of a file that became shorter says so, and is not tried again', async () => {
    const { screen } = renderPage(list, {
      files: {
        beginUpload: () => ({ uploadId: 'u1' }),
        async *fillUpload() {
          throw changed();
        },
      },
    });
    copyFile(from, to, file, noFolders);
    expect(await screen.findByText(/The file models\/model\.bin became shorter while it was read/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /model\.bin/ })).toHaveAccessibleName('Forget model.bin');
  });
});

describe('a move', () => {
  it('deletes the original only after the app has compared both files, and compares alone when it runs again', async () => {
    const calls: string[] = [];
    let isAway = true;
    const { screen, user } = renderPage(list, {
      files: {
        beginUpload: ({ replaces }) => ({ uploadId: `u1 ${replaces}` }),
        async *fillUpload({ uploadId }) {
          calls.push(`fill ${uploadId}`);
        },
        async *compare({ from: one, to: other, ...facts }) {
          calls.push(`compare ${one.path} ${other.path} ${facts.sizeBytes} ${facts.modifiedAt}`);
          yield { doneBytes: 10 };
          if (isAway) throw new ORPCError('UNAVAILABLE', { message: 'The engine is away.' });
        },
        remove: ({ path }) => void calls.push(`remove ${path}`),
      },
    });
    moveFile(from, to, file, move);
    await user.click(await screen.findByRole('button', { name: 'Try again: model.bin' }));
    expect(await screen.findByRole('button', { name: 'Try again: model.bin' })).toBeVisible();
    isAway = false;
    await user.click(screen.getByRole('button', { name: 'Try again: model.bin' }));
    expect(await screen.findByText('Done, 1000 B')).toBeVisible();
    const compared = `compare models/model.bin model.bin 1000 ${file.modifiedAt}`;
    expect(calls).toEqual(['fill u1 false', compared, compared, compared, 'remove models/model.bin']);
  });

  it('of a file that changed meanwhile deletes nothing', async () => {
    const removed: string[] = [];
    const { screen } = renderPage(list, {
      files: {
        beginUpload: () => ({ uploadId: 'u1' }),
        async *fillUpload() {
          yield { doneBytes: 1000 };
        },
        async *compare() {
          throw changed();
        },
        remove: ({ path }) => void removed.push(path),
      },
    });
    moveFile(from, to, file, move);
    expect(await screen.findByText(/Nothing was deleted/)).toBeVisible();
    await waitFor(() => expect(useTransfers.getState().list[0]?.state).toBe('failed'));
    expect(removed).toEqual([]);
  });
});
