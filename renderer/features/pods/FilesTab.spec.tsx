import { cleanup, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { VolumeFile } from '#contract/local/files.ts';
import { useBackStep } from '../../state/backStep.ts';
import { unreported } from '../../../test/support/page/folderChanges.ts';
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

/** The name of the row that the keys of the list are at, while the list has the focus. */
const activeName = (): string | undefined =>
  document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.dataset['row'];

/** The files within a page that Escape closes. */
function renderFiles() {
  let closed = 0;
  function Page() {
    useBackStep(true, () => (closed += 1));
    return <FilesTab accountId="a" overSsh row={row} />;
  }
  const page = renderPage(<Page />, {
    files: {
      changes: unreported,
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
    await waitFor(() => expect(activeName()).toBe('sdxl'));
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('checkbox', { name: 'Select cache' })).toBeVisible();
    await waitFor(() => expect(activeName()).toBe('models'));
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('checkbox', { name: 'Select etc' })).toBeVisible();
    await waitFor(() => expect(activeName()).toBe('workspace'));
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
        changes: unreported,
        list: ({ path }) => ({ path, entries: path === 'workspace/models' ? [text] : [], truncated: false }),
        unfinished: () => [],
        read: () => ({ bytes: new Blob(['hello']) }),
      },
    });

  it('is open in its folder, and stays closed once it was', async () => {
    const { screen, user } = show('workspace/models/notes.txt');
    const file = await screen.findByRole('dialog', { name: /^notes\.txt/ });
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
  const showFiles = (pod: object, routePath?: string) => {
    const holders: unknown[] = [];
    const places: unknown[] = [];
    const page = renderPage(
      <FilesTab
        accountId="a"
        overSsh={false}
        routePath={routePath}
        row={{
          pod: lenientPodSchema.parse({ id: 'p1', name: 'trainer', desiredStatus: 'EXITED', ...pod }),
          facts: null,
        }}
      />,
      {
        files: {
          changes: unreported,
          list({ holder, path }) {
            holders.push(holder);
            places.push({ holder, path });
            return { path, entries: [folder('checkpoints')], truncated: false };
          },
        },
      },
    );
    return { ...page, holders, places };
  };

  it.each([
    ['its own volume', { volumeInGb: 20 }, 'p1'],
    ['its network volume', { networkVolumeId: 'v1' }, 'v1'],
  ])('are those of %s, also while it is stopped', async (_, pod, id) => {
    const { screen, holders } = showFiles({ volumeMountPath: '/workspace', ...pod });
    expect(await screen.findByRole('button', { name: 'checkpoints' })).toBeVisible();
    expect(holders[0]).toEqual({ in: 'volume', id });
  });

  it('are those of the volume first, and those of the container by a choice that says what is lost', async () => {
    const { screen, user, places } = showFiles({
      volumeInGb: 20,
      volumeMountPath: '/workspace',
      desiredStatus: 'RUNNING',
    });
    expect(await screen.findByText(/^Kept when the Pod is stopped or reset/)).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'checkpoints' }));
    await user.click(screen.getByRole('radio', { name: 'Container disk' }));
    await waitFor(() => expect(places.at(-1)).toEqual({ holder: { in: 'container', id: 'p1' }, path: '' }));
    expect(await screen.findByRole('button', { name: 'checkpoints' })).toBeVisible();
    expect(screen.getByText(/What is not in \/workspace, its volume, is lost when the Pod is reset/)).toBeVisible();
    // The choice stays for this Pod, and for no other.
    cleanup();
    const running = { volumeInGb: 20, volumeMountPath: '/workspace', desiredStatus: 'RUNNING' };
    const again = showFiles(running);
    await waitFor(() => expect(again.places[0]).toEqual({ holder: { in: 'container', id: 'p1' }, path: '' }));
    await again.user.click(again.screen.getByRole('radio', { name: 'Volume' }));
    expect(await again.screen.findByText(/^Kept when the Pod is stopped or reset/)).toBeVisible();
    await again.user.click(again.screen.getByRole('radio', { name: 'Container disk' }));
    cleanup();
    const other = showFiles({ ...running, id: 'p2' });
    await waitFor(() => expect(other.places[0]).toEqual({ holder: { in: 'volume', id: 'p2' }, path: '' }));
  });

  it('are those of the disk on which the path of the address lies, and this disk is the one that stays', async () => {
    const running = { volumeInGb: 20, volumeMountPath: '/workspace', desiredStatus: 'RUNNING' };
    const { screen, places } = showFiles(running, '/etc/ssh/');
    expect(await screen.findByRole('radio', { name: 'Container disk' })).toBeChecked();
    await waitFor(() => expect(places).toEqual([{ holder: { in: 'container', id: 'p1' }, path: 'etc/ssh' }]));
    cleanup();
    const again = showFiles(running);
    expect(await again.screen.findByRole('radio', { name: 'Container disk' })).toBeChecked();
    cleanup();
    const inVolume = showFiles(running, 'models/');
    expect(await inVolume.screen.findByRole('radio', { name: 'Volume' })).toBeChecked();
    await waitFor(() => expect(inVolume.places).toEqual([{ holder: { in: 'volume', id: 'p1' }, path: 'models' }]));
  });

  it('are in a stopped container not shown, and the page says why, and that those of the volume are', async () => {
    const { screen, user, holders } = showFiles({ networkVolumeId: 'v1', volumeMountPath: '/workspace' });
    expect(await screen.findByText('A network volume: kept when the Pod is reset or deleted.')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Container disk' }));
    expect(await screen.findByText('The Pod is stopped')).toBeVisible();
    expect(screen.getByText(/Those of its volume are shown also while it is stopped/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'New folder' })).toBeNull();
    expect(holders).toEqual([{ in: 'volume', id: 'v1' }]);
  });

  it('are those of its container only, if it has no volume', async () => {
    const { screen, holders } = showFiles({ volumeInGb: 0, desiredStatus: 'RUNNING' });
    expect(await screen.findByRole('button', { name: 'checkpoints' })).toBeVisible();
    expect(holders[0]).toEqual({ in: 'container', id: 'p1' });
    expect(screen.getByText(/lost when the Pod is reset or deleted. A volume, which is kept/)).toBeVisible();
    expect(screen.queryByRole('radio')).toBeNull();
  });
});
