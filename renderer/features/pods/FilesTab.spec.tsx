import { waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { VolumeFile } from '#contract/local/files.ts';
import { useBackStep } from '../../state/backStep.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { FilesTab } from './FilesTab.tsx';

const row = {
  pod: { id: 'p1', name: 'trainer', desiredStatus: 'RUNNING', volumeMountPath: '/workspace' },
} as PodRow;
const folder = (name: string): VolumeFile => ({
  name,
  kind: 'folder',
  sizeBytes: 0,
  modifiedAt: '2026-01-01T00:00:00Z',
});
const tree: Readonly<Record<string, readonly string[]>> = {
  '': ['etc', 'workspace'],
  workspace: ['cache', 'models'],
  'workspace/models': ['sdxl'],
  'workspace/models/sdxl': [],
};

/** The files within a page that Escape closes. */
function renderFiles() {
  let closed = 0;
  function Page() {
    useBackStep(true, () => (closed += 1));
    return <FilesTab accountId="a" overSsh row={row} />;
  }
  const page = renderPage(<Page />, {
    files: {
      list: ({ path }) => ({ path, entries: (tree[path] ?? []).map(folder), truncated: false }),
      unfinished: () => [],
    },
  });
  return { ...page, closed: () => closed };
}

describe('the files of a Pod', () => {
  it('are left by Escape one folder at a time, with the focus on the folder that was left, then the Pod is closed', async () => {
    const { screen, user, closed } = renderFiles();
    await user.click(await screen.findByRole('button', { name: 'models' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'sdxl' })).toHaveFocus());
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('row', { name: /^Choose cache / })).toBeVisible();
    await waitFor(() => expect(screen.getByRole('button', { name: 'models' })).toHaveFocus());
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('row', { name: /^Choose etc / })).toBeVisible();
    await waitFor(() => expect(screen.getByRole('button', { name: 'workspace' })).toHaveFocus());
    expect(closed()).toBe(0);
    await user.keyboard('{Escape}');
    expect(closed()).toBe(1);
  });
});

describe('a file that the address of the tab asks for', () => {
  const text: VolumeFile = { ...folder('notes.txt'), kind: 'file', sizeBytes: 5 };
  const show = (routePath: string) =>
    renderPage(<FilesTab accountId="a" overSsh row={row} routePath={routePath} />, {
      files: {
        list: ({ path }) => ({ path, entries: path === 'workspace/models' ? [text] : [], truncated: false }),
        unfinished: () => [],
        read: () => ({ bytes: new Blob(['hello']) }),
      },
    });

  it('is open in its folder, and stays closed once it was', async () => {
    const { screen, user } = show('workspace/models/notes.txt');
    const file = await screen.findByRole('dialog', { name: 'notes.txt' });
    expect(within(file).getByRole('button', { name: 'Download' })).toBeVisible();
    await user.click(within(file).getByRole('button', { name: 'Close notes.txt' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByRole('button', { name: 'notes.txt' })).toBeVisible();
  });

  it('may be a folder, which is then the one that is shown', async () => {
    const { screen } = show('workspace/models/');
    expect(await screen.findByRole('button', { name: 'notes.txt' })).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the files of a Pod on an engine of Hangar', () => {
  const showFiles = (pod: object) => {
    const holders: unknown[] = [];
    const page = renderPage(
      <FilesTab
        accountId="a"
        overSsh={false}
        row={{
          pod: lenientPodSchema.parse({ id: 'p1', name: 'trainer', desiredStatus: 'EXITED', ...pod }),
          facts: null,
        }}
      />,
      {
        files: {
          list({ holder, path }) {
            holders.push(holder);
            return { path, entries: [folder('checkpoints')], truncated: false };
          },
        },
      },
    );
    return { ...page, holders };
  };

  it.each([
    ['its own volume', { volumeInGb: 20 }, 'p1'],
    ['its network volume', { networkVolumeId: 'v1' }, 'v1'],
  ])('are those of %s, also while it is stopped', async (_, pod, id) => {
    const { screen, holders } = showFiles({ volumeMountPath: '/workspace', ...pod });
    expect(await screen.findByRole('button', { name: 'checkpoints' })).toBeVisible();
    expect(holders[0]).toEqual({ in: 'volume', id });
  });

  it('without a volume are said to be in its container only', async () => {
    const { screen, holders } = showFiles({ volumeInGb: 0 });
    expect(await screen.findByText('It has no volume')).toBeVisible();
    expect(holders).toEqual([]);
  });
});
