import { useState } from 'react';
import { ORPCError } from '@orpc/client';
import { act, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { THIS_COMPUTER, type FileHolder, type VolumeFile } from '#contract/local/files.ts';
import { unreported } from '../../../test/support/page/folderChanges.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { pickUp } from '../../client/files/pickedUp.ts';
import { forgetTransfers, useTransfers } from '../../client/files/transfers.ts';
import { FileBrowser } from './FileBrowser.tsx';

afterEach(() => {
  pickUp(null);
  forgetTransfers(useTransfers.getState().list.map(({ id }) => id));
});

const entry = (kind: VolumeFile['kind']) => (name: string) => ({
  name,
  kind,
  sizeBytes: 0,
  modifiedAt: '2026-01-01T00:00:00Z',
});
const [file, folder, link] = [entry('file'), entry('folder'), entry('other')];

const tree: Readonly<Record<string, readonly VolumeFile[]>> = {
  'v1:': [folder('data'), folder('out'), file('a.txt')],
  'v1:data': [folder('deep'), folder('empty'), file('b.txt'), link('socket')],
  'v1:data/deep': [file('c.txt')],
};

/** Two volumes, of which one is shown at a time. */
function Volumes() {
  const [holder, setHolder] = useState<FileHolder>({ in: 'volume', id: 'v1' });
  const [path, setPath] = useState('');
  return (
    <>
      <button type="button" onClick={() => setHolder({ in: 'volume', id: 'v2' })}>
        Show the other volume
      </button>
      <FileBrowser
        key={holder.id}
        accountId="a"
        holder={holder}
        name={holder.id}
        path={path}
        absent={null}
        onShow={setPath}
        back={null}
      />
    </>
  );
}

async function renderVolumes() {
  const calls: string[] = [];
  const page = renderPage(<Volumes />, {
    files: {
      changes: unreported,
      list: ({ holder, path }) => ({ path, entries: [...(tree[`${holder.id}:${path}`] ?? [])], truncated: false }),
      makeFolder: ({ holder, path }) => void calls.push(`folder ${holder.id}:${path}`),
      beginUpload({ holder, path }) {
        calls.push(`file ${holder.id}:${path}`);
        return { uploadId: path };
      },
      async *fillUpload({ uploadId, from }) {
        calls.push(`fill ${uploadId} from ${from.holder.id}:${from.path}`);
      },
      move({ path, to }) {
        if (path === 'a.txt') throw new ORPCError('CONFLICT', { message: 'There is an a.txt already.' });
        calls.push(`move ${path} to ${to}`);
      },
    },
  });
  const { screen, user } = page;
  const pick = async (...names: string[]) => {
    for (const name of names) await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
    await user.click(screen.getByRole('button', { name: 'Copy or move' }));
  };
  return { ...page, calls, pick };
}

describe('files that were picked up', () => {
  it('have a line in their own folder that says what to do next, until they are put down', async () => {
    const { screen, user, pick } = await renderVolumes();
    await pick('data', 'a.txt');
    const bar = await screen.findByRole('toolbar', { name: 'Files to copy or move' });
    expect(bar).toHaveTextContent(/^To copy or move 2 entries, open the destination folder/);
    expect(within(bar).queryByRole('button', { name: 'Copy here' })).toBeNull();
    await user.click(within(bar).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('toolbar', { name: 'Files to copy or move' })).toBeNull();
  });

  it('are copied into another volume with all that is in their folders', async () => {
    const { screen, user, calls, pick } = await renderVolumes();
    await pick('data', 'a.txt');
    await user.click(screen.getByRole('button', { name: 'Show the other volume' }));
    const bar = await screen.findByRole('toolbar', { name: 'Files to copy or move' });
    expect(bar).toHaveTextContent('2 entries from v1');
    await user.click(within(bar).getByRole('button', { name: 'Copy here' }));
    expect(await screen.findByText('3 of 3 done')).toBeVisible();
    expect(calls.filter((call) => call.startsWith('file'))).toEqual([
      'file v2:data/deep/c.txt',
      'file v2:data/b.txt',
      'file v2:a.txt',
    ]);
    expect(calls).toContain('folder v2:data/empty');
    expect(calls).toContain('fill data/deep/c.txt from v1:data/deep/c.txt');
    await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Files to copy or move' })).toBeNull());
  });

  it('are said to be from the folder that they were in, with the name of its Pod', async () => {
    const { screen } = await renderVolumes();
    const runs = { accountId: 'a', holder: { in: 'volume', id: 'p' } as const, path: 'runs/one' };
    act(() => pickUp({ folder: runs, holderName: 'trainer, /workspace', entries: [file('b.txt')] }));
    const bar = await screen.findByRole('toolbar', { name: 'Files to copy or move' });
    expect(bar).toHaveTextContent('b.txt from trainer, /workspace/runs/one');
  });

  it('are moved within their volume, and a notice says which were not', async () => {
    const { screen, user, calls, pick } = await renderVolumes();
    await pick('data', 'a.txt');
    await user.click(screen.getByRole('button', { name: 'out' }));
    await user.click(await screen.findByRole('button', { name: 'Move here' }));
    expect(await screen.findByText('There is an a.txt already.')).toBeVisible();
    expect(calls).toEqual(['move data to out/data']);
  });

  it('of this computer are said to be from it within a sentence', async () => {
    const { screen } = await renderVolumes();
    const home = { accountId: 'a', holder: THIS_COMPUTER, path: '' };
    act(() => pickUp({ folder: home, holderName: 'This computer', entries: [file('b.txt')] }));
    const bar = await screen.findByRole('toolbar', { name: 'Files to copy or move' });
    expect(bar).toHaveTextContent('b.txt from this computer');
  });

  it('are not copied into themselves', async () => {
    const { screen, user, calls, pick } = await renderVolumes();
    await pick('data');
    await user.click(screen.getByRole('button', { name: 'data' }));
    await user.click(await screen.findByRole('button', { name: 'Copy here' }));
    expect(await screen.findByText('The folder data cannot be copied into itself.')).toBeVisible();
    expect(calls).toEqual([]);
  });
});
