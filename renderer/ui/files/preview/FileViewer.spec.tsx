import { EditorView } from '@codemirror/view';
import { ORPCError } from '@orpc/client';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { VolumeFile } from '#contract/local/files.ts';
import { unreported } from '../../../../test/support/page/folderChanges.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { orpc, queryClient } from '../../../client/transport/orpc.ts';
import { forgetDrafts } from '../../form/formDrafts.ts';
import { keyOf, textDrafts } from './textDrafts.ts';
import { FileBrowser } from '../FileBrowser.tsx';

afterEach(forgetDrafts);

/** A volume with the empty file `notes.txt`, which is open. */
async function openNotes() {
  let isThere = true;
  const entry = (): VolumeFile => ({
    name: 'notes.txt',
    kind: 'file',
    sizeBytes: 0,
    modifiedAt: '2026-01-01T00:00:00Z',
  });
  const browser = (key: string) => (
    <FileBrowser
      key={key}
      accountId="a"
      holder={{ in: 'volume', id: 'v1' }}
      name="shared"
      path=""
      file="notes.txt"
      absent={null}
      onShow={() => undefined}
      back={null}
    />
  );
  const page = renderPage(browser('first'), {
    files: {
      changes: unreported,
      list: ({ path }) => ({ path, entries: isThere ? [entry()] : [], truncated: false }),
      // An answer with bytes would have to go through a connection that jsdom cannot pack them for.
      read() {
        throw new ORPCError('BAD_REQUEST', { message: 'The file is empty.', data: { status: 416 } });
      },
    },
  });
  const editor = () => screen.findByRole('textbox', { name: 'Text of notes.txt' });
  const view = async (): Promise<EditorView> => {
    const shown = EditorView.findFromDOM(await editor());
    if (shown === null) throw new Error('there is no editor');
    return shown;
  };
  const escape = (): void =>
    void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  return {
    ...page,
    editor,
    /** Types, and presses Escape before the page has drawn the text. */
    async typeAndEscape(text: string) {
      const typed = await view();
      typed.dispatch({ changes: { from: 0, insert: text } });
      escape();
    },
    async type(text: string) {
      const typed = await view();
      act(() => typed.dispatch({ changes: { from: 0, insert: text } }));
    },
    escape: () => act(escape),
    remove: () => void (isThere = false),
    /** Shows the page anew, as after another page. */
    async comeBack() {
      page.rerender(<p>Another page</p>);
      await screen.findByText('Another page');
      page.rerender(browser('second'));
      await editor();
    },
    question: () => screen.findByRole('dialog', { name: 'Close notes.txt without saving?' }),
  };
}

describe('a typed text that is not saved', () => {
  it('is not lost by an Escape that comes before the page has drawn the text', async () => {
    const file = await openNotes();
    await file.typeAndEscape('mine ');
    expect(await file.question()).toBeVisible();
    expect(await file.editor()).toHaveTextContent('mine');
  });

  it('is there again after another page, until the person discards it', async () => {
    const file = await openNotes();
    await file.type('mine ');
    await file.comeBack();
    expect(await file.editor()).toHaveTextContent('mine');
    expect(screen.getByText('Not saved yet')).toBeVisible();
    await waitFor(async () => {
      file.escape();
      expect(await file.question()).toBeVisible();
    });
    await file.user.click(screen.getByRole('button', { name: 'Discard the changes' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Text of notes.txt' })).toBeNull());
    await file.comeBack();
    expect(await file.editor()).toHaveTextContent(/^$/);
  });

  it('is not asked about any more once a save that was under way has ended', async () => {
    const file = await openNotes();
    await file.type('mine ');
    await waitFor(async () => {
      file.escape();
      expect(await file.question()).toBeVisible();
    });
    const place = { accountId: 'a', holder: { in: 'volume', id: 'v1' }, path: 'notes.txt' } as const;
    expect(textDrafts.get(keyOf(place))).toBeDefined();
    // As the save does at its end.
    act(() => textDrafts.set(keyOf(place), null));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Close notes.txt without saving?' })).toBeNull());
    expect(await file.editor()).toHaveTextContent('mine');
  });

  it('stays open when its file goes from the folder', async () => {
    const file = await openNotes();
    await file.type('mine ');
    file.remove();
    await queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
    expect(await screen.findByText('This folder is empty')).toBeInTheDocument();
    expect(await file.editor()).toHaveTextContent('mine');
  });
});
