import { ORPCError } from '@orpc/client';
import { act, fireEvent, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FolderChange, VolumeFile } from '#contract/local/files.ts';
import { unreported } from '../../../test/support/page/folderChanges.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { createSampler } from '../../../test/support/page/sampler.ts';
import { pickUp, usePickedUp } from '../../client/files/pickedUp.ts';
import { FileBrowser } from './FileBrowser.tsx';

const file = (name: string): VolumeFile => ({ name, kind: 'file', sizeBytes: 7, modifiedAt: '2026-01-01T00:00:00Z' });
const folder = (name: string): VolumeFile => ({ ...file(name), kind: 'folder', sizeBytes: 0 });

/** A volume with files a to e and the folder "data"; `locked` cannot be deleted or renamed. */
function renderVolume(locked = '') {
  let names = ['a', 'b', 'c', 'd', 'e'];
  const refuse = (path: string): void => {
    if (path === locked) throw new ORPCError('FORBIDDEN', { message: `${path} is locked.` });
  };
  const volume = (
    <FileBrowser
      accountId="a"
      holder={{ in: 'volume', id: 'v1' }}
      name="kept"
      path=""
      absent={null}
      onShow={() => undefined}
      back={null}
    />
  );
  const page = renderPage(volume, {
    files: {
      changes: unreported,
      list: ({ path }) => ({ path, entries: [folder('data'), ...names.map(file)], truncated: false }),
      remove({ path }) {
        refuse(path);
        names = names.filter((name) => name !== path);
      },
      move({ path, to }) {
        refuse(path);
        names = names.map((name) => (name === path ? to : name));
      },
    },
  });
  const { screen } = page;
  const row = (name: string) => screen.findByRole('row', { name: new RegExp(`^Select ${name} `) });
  const chosen = () =>
    screen
      .getAllByRole('checkbox', { name: /^Select (?!all)/ })
      .flatMap((box) => (box instanceof HTMLInputElement && box.checked ? (box.ariaLabel ?? '').slice(7) : []));
  return { ...page, row, chosen, names: () => names };
}

/** The page of a volume, in its folder "data". */
function VolumePage() {
  const [path, setPath] = useState('data');
  return (
    <div id="page">
      <h1 tabIndex={-1}>Volume</h1>
      <FileBrowser
        accountId="a"
        holder={{ in: 'volume', id: 'v1' }}
        name="kept"
        path={path}
        absent={null}
        onShow={setPath}
        back={null}
      />
    </div>
  );
}

it('The folder that was left gets the focus, also where the heading of the page has it until the files are read', async () => {
  let answer = (): void => undefined;
  const isRead = new Promise<void>((resolve) => (answer = resolve));
  const { screen, user } = renderPage(<VolumePage />, {
    files: {
      changes: unreported,
      async list({ path }) {
        if (path === '') await isRead;
        return { path, entries: path === '' ? [file('a'), folder('data')] : [file('inner')], truncated: false };
      },
    },
  });
  await screen.findByRole('row', { name: /inner/ });
  await user.click(screen.getByRole('button', { name: 'kept' }));
  act(() => screen.getByRole('heading', { level: 1 }).focus());
  answer();
  const row = await screen.findByRole('row', { name: /^Select data / });
  await waitFor(() => expect(within(row).getAllByRole('button')[0]).toHaveFocus());
});

describe('the files of a folder', () => {
  it('are chosen by clicks with Ctrl and Shift, by their checkboxes, and all at once by Ctrl+A', async () => {
    const { screen, user, row, chosen } = renderVolume();
    const text = async (name: string) => within(await row(name)).getByText('7 B');
    await user.click(await text('b'));
    expect(chosen()).toEqual(['b']);
    await user.keyboard('{Shift>}');
    await user.click(await text('d'));
    await user.keyboard('{/Shift}{Control>}');
    await user.click(await text('c'));
    await user.keyboard('{/Control}');
    expect(chosen()).toEqual(['b', 'd']);
    await user.click(screen.getByRole('checkbox', { name: 'Select a' }));
    expect(chosen()).toEqual(['a', 'b', 'd']);
    expect(screen.getByRole('toolbar', { name: 'Selected files' })).toHaveTextContent('3 selected, 21 B');
    await user.keyboard('{Control>}a{/Control}');
    expect(chosen()).toEqual(['data', 'a', 'b', 'c', 'd', 'e']);
    await user.keyboard('{Escape}');
    await user.keyboard('{Escape}');
    expect(chosen()).toEqual([]);
  });

  it('are deleted together after their names were read, and the row of one that stays says why', async () => {
    const { screen, user, row, names } = renderVolume('b');
    for (const name of ['a', 'b', 'c']) await user.click(within(await row(name)).getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Delete 3…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete 3 entries?' });
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['a', 'b', 'c']);
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(names()).toEqual(['b', 'd', 'e']));
    await waitFor(async () => expect(await row('b')).toHaveTextContent('Not deleted: b is locked.'));
    await waitFor(() => expect(screen.queryByText('a', { exact: true })).toBeNull());
  });

  it('are renamed in their rows; a name that is taken, and one that is refused, say so there', async () => {
    const { screen, user, row, names } = renderVolume('c');
    await user.click(within(await row('a')).getByText('7 B'));
    (await row('a')).querySelector('input')?.focus();
    await user.keyboard('{F2}');
    const field = screen.getByRole('textbox', { name: 'New name of a' });
    expect(field).toHaveFocus();
    await user.keyboard('b');
    expect(screen.getByRole('alert')).toHaveTextContent('"b" already exists');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('textbox', { name: 'New name of a' })).toBeNull();
    expect(names()[0]).toBe('a');
    await user.keyboard('{F2}');
    await user.keyboard('anew{Enter}');
    expect(await row('anew')).toBeVisible();
    await user.click(within(await row('c')).getByText('7 B'));
    (await row('c')).querySelector('input')?.focus();
    await user.keyboard('{F2}x{Enter}');
    expect(await screen.findByText('c is locked.')).toBeVisible();
    expect(names()).toEqual(['anew', 'b', 'c', 'd', 'e']);
  });

  it('are renamed by their menus, too, which keep the focus from the field only for a moment', async () => {
    const { screen, user, row, names } = renderVolume();
    await user.click(within(await row('a')).getByRole('button', { name: 'More for a' }));
    const button = screen.getByRole('button', { name: 'More for a' });
    const focused = vi.fn();
    button.addEventListener('focus', focused);
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
    // The menu gives the focus back to its button once it has closed; another time changes nothing.
    await waitFor(() => expect(focused).toHaveBeenCalled());
    act(() => button.focus());
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'New name of a' })).toHaveFocus());
    await user.keyboard('{Control>}a{/Control}other{Enter}');
    await waitFor(() => expect(names()[0]).toContain('other'));
  });

  it('have their menu at the pointer, too, and are picked up by it', async () => {
    const { screen, user, row } = renderVolume();
    fireEvent.contextMenu(await row('b'), { clientX: 40, clientY: 60 });
    const menu = await screen.findByRole('menu', { name: 'Actions for b' });
    const items = within(menu).getAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Open',
      'Download',
      'Rename',
      'Copy or move',
      'Delete…',
    ]);
    await user.click(within(menu).getByRole('menuitem', { name: 'Copy or move' }));
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(usePickedUp.getState().picked?.entries.map(({ name }) => name)).toEqual(['b']);
    act(() => pickUp(null));
  });

  it('are found by a part of their name, and only those that are shown can be chosen', async () => {
    const { screen, user, row, chosen } = renderVolume();
    await user.click(within(await row('e')).getByRole('checkbox'));
    await user.type(screen.getByRole('searchbox', { name: 'Find a file in this folder' }), 'A');
    expect(screen.queryByText('e', { exact: true })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
    expect(chosen()).toEqual(['data', 'a']);
    await user.type(screen.getByRole('searchbox'), 'xyz');
    expect(screen.getByText('No name in this folder contains "Axyz"')).toBeVisible();
  });
});

describe('an open folder', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** A volume whose changes are reported as the test says, and which counts its reads. */
  function renderFollowed() {
    const { streams, say, open } = createSampler<FolderChange>();
    const seen = { reads: 0, names: ['a'] };
    const page = renderPage(<VolumePage />, {
      files: {
        list({ path }) {
          seen.reads++;
          return { path, entries: seen.names.map(file), truncated: false };
        },
        changes: (_, signal) => open({ everyMs: 0 }, signal),
      },
    });
    return { ...page, streams, say, seen };
  }

  it('is read again when a change is reported, and is not asked for meanwhile', async () => {
    const { screen, streams, say, seen } = renderFollowed();
    await screen.findByRole('row', { name: /^Select a / });
    await waitFor(() => expect(streams).toHaveLength(1));
    await say({});
    await waitFor(() => expect(seen.reads).toBe(2));
    await act(() => vi.advanceTimersByTimeAsync(50_000));
    expect(seen.reads).toBe(2);
    seen.names = ['a', 'b'];
    await say({});
    await screen.findByRole('row', { name: /^Select b / });
    expect(seen.reads).toBe(3);
  });

  it('is not followed any more once another one is open', async () => {
    const { screen, user, streams } = renderFollowed();
    await screen.findByRole('row', { name: /^Select a / });
    await waitFor(() => expect(streams).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'kept' }));
    await waitFor(() => expect(streams).toMatchObject([{ isOpen: false }, { isOpen: true }]));
  });

  it('whose changes nobody reports is read every 10 seconds while a person works with the page', async () => {
    const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    let reads = 0;
    const { screen } = renderPage(<VolumePage />, {
      files: {
        list({ path }) {
          reads++;
          return { path, entries: [file('a')], truncated: false };
        },
        changes: unreported,
      },
    });
    await screen.findByRole('row', { name: /^Select a / });
    const first = reads;
    await act(() => vi.advanceTimersByTimeAsync(30_500));
    expect(reads - first).toBe(3);
    focus.mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('blur')));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(reads - first).toBe(3);
    focus.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('focus')));
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(reads - first).toBe(4);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
