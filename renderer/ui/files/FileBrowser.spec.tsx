import { ORPCError } from '@orpc/client';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
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

/** The row of a file. */
async function rowOf(name: string): Promise<HTMLElement> {
  const row = (await screen.findByRole('checkbox', { name: `Select ${name}` })).closest('[role=row]');
  if (!(row instanceof HTMLElement)) throw new Error(`${name} has no row`);
  return row;
}

/** The name of the row that the keys of the list are at. */
const activeName = (): string | undefined =>
  document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.dataset['row'];

/** A volume with files a to e and the folder "data"; `locked` cannot be deleted or renamed. */
function renderVolume(locked = '', names = ['a', 'b', 'c', 'd', 'e']) {
  const shown: string[] = [];
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
      onShow={(path) => shown.push(path)}
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
  const row = rowOf;
  const chosen = () =>
    screen
      .getAllByRole('checkbox', { name: /^Select (?!all)/ })
      .flatMap((box) => (box instanceof HTMLInputElement && box.checked ? (box.ariaLabel ?? '').slice(7) : []));
  return { ...page, row, chosen, shown, names: () => names };
}

/** The page of a volume, in its folder "data". Two more buttons stand for those of the browser. */
function VolumePage() {
  const [path, setPath] = useState('data');
  return (
    <div id="page">
      <h1 tabIndex={-1}>Volume</h1>
      <button onClick={() => setPath('')}>Back</button>
      <button onClick={() => setPath('data')}>Forward</button>
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

it('The keyboard begins at the folder that was left, also where the heading of the page has it until the files are read', async () => {
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
  await rowOf('inner');
  await user.click(screen.getByRole('button', { name: 'kept' }));
  act(() => screen.getByRole('heading', { level: 1 }).focus());
  answer();
  await rowOf('data');
  await waitFor(() => expect(activeName()).toBe('data'));
});

it('A search ends where the browser goes to another folder, and does not come back with the folder', async () => {
  const { screen, user } = renderPage(<VolumePage />, {
    files: {
      changes: unreported,
      list: ({ path }) => ({ path, entries: [folder('data'), file(`in-${path}`)], truncated: false }),
      async *search() {
        yield { matches: [], folders: 1, incomplete: 0, end: 'all' as const };
      },
    },
  });
  await rowOf('in-data');
  const field = () => screen.getByRole('searchbox', { name: 'Find a file in this folder' });
  await user.type(field(), 'other{Enter}');
  await screen.findByText(/all|searched/);
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await rowOf('in-');
  expect(field()).toHaveValue('');
  await user.click(screen.getByRole('button', { name: 'Forward' }));
  await rowOf('in-data');
  expect(field()).toHaveValue('');
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
    await user.keyboard('{F2}x{Enter}');
    expect(await screen.findByText('c is locked.')).toBeVisible();
    expect(names()).toEqual(['anew', 'b', 'c', 'd', 'e']);
  });

  it('are renamed by their menus, too, whose button has the focus again after Escape', async () => {
    const { screen, user, row, names } = renderVolume();
    const button = within(await row('a')).getByRole('button', { name: 'More for a' });
    await user.click(button);
    await screen.findByRole('menuitem', { name: 'Rename' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(button).toHaveFocus());
    await user.click(button);
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'New name of a' })).toHaveFocus());
    await user.keyboard('{Control>}a{/Control}other{Enter}');
    await waitFor(() => expect(names()).toContain('other'));
    await waitFor(() => expect(activeName()).toBe('other'));
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

  it('are reached by the arrows and by the beginning of a name, selected in a range, and opened by Enter', async () => {
    const { user, row, chosen, shown } = renderVolume();
    await row('a');
    expect(activeName()).toBe('data');
    await user.keyboard('d');
    expect(activeName()).toBe('d');
    await user.keyboard('{ArrowUp}{Shift>}{ArrowUp}{ArrowUp}{/Shift}');
    expect(chosen()).toEqual(['a', 'b', 'c']);
    await user.keyboard('{Escape}da{Enter}');
    expect(shown).toEqual(['data']);
    await user.click(within(await row('data')).getByText('–'));
    expect(shown).toEqual(['data']);
    await user.dblClick(within(await row('data')).getByText('–'));
    expect(shown).toEqual(['data', 'data']);
  });

  it('are sorted by the heads of the list, and their folders stay first', async () => {
    const { screen, user, row } = renderVolume();
    await row('a');
    const names = () => screen.getAllByRole('row').flatMap(({ dataset }) => dataset['row'] ?? []);
    await user.click(screen.getByRole('button', { name: 'Name' }));
    await user.click(screen.getByRole('button', { name: 'Name' }));
    expect(names()).toEqual(['data', 'e', 'd', 'c', 'b', 'a']);
  });

  it('are drawn where they are visible alone, however many there are, and so is a name that is a field', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `file-${index}`);
    const { screen, user, row } = renderVolume('', many);
    await row('file-0');
    const grid = screen.getByRole('grid', { name: 'Files' });
    expect(grid).toHaveAttribute('aria-rowcount', '3002');
    expect(screen.getAllByRole('row').length).toBeLessThan(100);
    await user.keyboard('{ArrowDown}{F2}');
    expect(screen.getByRole('textbox', { name: 'New name of file-0' })).toHaveFocus();
    // jsdom scrolls nothing by itself.
    fireEvent.scroll(Object.assign(grid, { scrollTop: 40_000 }));
    await row('file-1180');
    expect(screen.queryByRole('checkbox', { name: 'Select file-1' })).toBeNull();
    expect(screen.getByRole('textbox', { name: 'New name of file-0' })).toBeInTheDocument();
  });

  it('take what is dropped on the row of a folder into that folder', async () => {
    const { screen, row } = renderVolume();
    const over = async (name: string) => fireEvent.dragOver(await row(name), { dataTransfer: { items: [] } });
    await over('data');
    expect(screen.getByText('Drop to upload into data')).toBeVisible();
    expect(await row('data')).toHaveAttribute('data-drop');
    await over('a');
    expect(screen.getByText('Drop to upload into this folder')).toBeVisible();
    expect(await row('data')).not.toHaveAttribute('data-drop');
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
    const { streams, say, seen } = renderFollowed();
    await rowOf('a');
    await waitFor(() => expect(streams).toHaveLength(1));
    await say({});
    await waitFor(() => expect(seen.reads).toBe(2));
    await act(() => vi.advanceTimersByTimeAsync(50_000));
    expect(seen.reads).toBe(2);
    seen.names = ['a', 'b'];
    await say({});
    await rowOf('b');
    expect(seen.reads).toBe(3);
  });

  it('is not followed any more once another one is open', async () => {
    const { screen, user, streams } = renderFollowed();
    await rowOf('a');
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
    await rowOf('a');
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
