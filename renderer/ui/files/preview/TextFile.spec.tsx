import { EditorView } from '@codemirror/view';
import { act, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { readText } from './readText.ts';
import type { Rendering } from './RenderedText.tsx';
import { textDrafts } from './textDrafts.ts';
import { TextFile } from './TextFile.tsx';

const fileOf = (text: string) => readText(new TextEncoder().encode(text), false);

/** An open file of this text, on a disk where others write, too. */
async function openFile(text: string) {
  let onDisk: string | null = text;
  let reread: string | null = null;
  const io = {
    read: async () => (onDisk === null ? null : fileOf(onDisk)),
    write: async (written: string) => void (onDisk = written),
    hasNewContent: async () => void (reread = onDisk),
  };
  const page = renderPage(<TextFile name="a.py" file={fileOf(text)} io={io} draftKey="a.py" />);
  const editor = () => page.screen.findByRole('textbox', { name: 'Text of a.py' });
  await editor();
  const type = async (added: string) => {
    const view = EditorView.findFromDOM(await editor());
    act(() => view?.dispatch({ changes: { from: 0, insert: added } }));
  };
  return {
    ...page,
    type,
    editor,
    isUnsaved: () => textDrafts.get('a.py') !== undefined,
    onDisk: () => onDisk,
    /** The content of the file when the page was last told that it is another one. */
    reread: () => reread,
    others: (written: string | null) => void (onDisk = written),
    save: () => page.user.click(page.screen.getByRole('button', { name: 'Save' })),
  };
}

describe('a text file', () => {
  it('has the colours of the language that its name tells', async () => {
    const { editor } = await openFile('import os  # why\n');
    const area = await editor();
    await waitFor(() => expect(area.querySelectorAll('.cm-line span').length).toBeGreaterThan(1));
    const parts = [...area.querySelectorAll('.cm-line span')].map((part) => part.textContent);
    expect(parts).toEqual(['import', '# why']);
  });

  it('is saved with the ends of its lines, and says whether it is', async () => {
    const file = await openFile('a\r\nb\r\n');
    expect(file.screen.getByRole('button', { name: 'Save' })).toHaveAccessibleDescription('Nothing has changed.');
    await file.type('x\n');
    expect(await file.screen.findByText('Not saved yet')).toBeVisible();
    expect(file.isUnsaved()).toBe(true);
    await file.save();
    await waitFor(() => expect(file.onDisk()).toBe('x\r\na\r\nb\r\n'));
    expect(await file.screen.findByText('Saved')).toBeVisible();
    expect(file.isUnsaved()).toBe(false);
  });

  it('that others changed meanwhile is not overwritten before the person says so', async () => {
    const file = await openFile('a\n');
    await file.type('mine ');
    file.others('theirs\n');
    await file.save();
    expect(await file.screen.findByText('The file was changed while you had it open.')).toBeVisible();
    expect(file.onDisk()).toBe('theirs\n');
    await file.user.click(file.screen.getByRole('button', { name: 'Save mine over it' }));
    await waitFor(() => expect(file.onDisk()).toBe('mine a\n'));
  });

  it('that others changed meanwhile is opened as theirs, and then saved on top of it', async () => {
    const file = await openFile('a\n');
    await file.type('mine ');
    file.others('theirs\n');
    await file.save();
    await file.user.click(await file.screen.findByRole('button', { name: 'Open theirs' }));
    await waitFor(async () => expect(await file.editor()).toHaveTextContent('theirs'));
    expect(file.reread()).toBe('theirs\n');
    await file.type('more ');
    await file.save();
    await waitFor(() => expect(file.onDisk()).toBe('more theirs\n'));
  });

  it('that was deleted meanwhile is written again only if the person wants it', async () => {
    const file = await openFile('a\n');
    await file.type('mine ');
    file.others(null);
    await file.save();
    await file.user.click(await file.screen.findByRole('button', { name: 'Save mine anyway' }));
    await waitFor(() => expect(file.onDisk()).toBe('mine a\n'));
  });

  it('that can only be read says why, and has nothing to save', async () => {
    const { screen } = renderPage(
      <TextFile
        name="a.py"
        file={fileOf('a\rb\n')}
        io={{
          read: () => Promise.reject(new Error()),
          write: () => Promise.reject(new Error()),
          hasNewContent: () => Promise.reject(new Error()),
        }}
        draftKey="fixed"
      />,
    );
    expect(await screen.findByText(/line endings are mixed/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('is shown as its reader sees it, with what was typed and is not saved yet', async () => {
    const io = { read: async () => null, write: async () => undefined, hasNewContent: async () => undefined };
    const show = (name: string, text: string, rendering: Rendering | null) => (
      <TextFile name={name} file={fileOf(text)} rendering={rendering} io={io} draftKey="fixed" />
    );
    const readme = '---\ntags: [a]\n---\n# Title\n\n- one\n\n<b>not bold</b>\n';
    const { screen, rerender } = renderPage(show('README.md', readme, 'markdown'));
    expect(await screen.findByRole('heading', { name: 'Title' })).toBeVisible();
    expect(screen.getByRole('region', { name: 'Code, yaml' })).toHaveTextContent('tags: [a]');
    expect(screen.getByRole('listitem')).toHaveTextContent('one');
    expect(screen.getByText(/<b>not bold/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();

    rerender(show('README.md', readme, null));
    const editor = await screen.findByRole('textbox', { name: 'Text of README.md' });
    act(() => EditorView.findFromDOM(editor)?.dispatch({ changes: { from: 0, insert: '# Typed\n\n' } }));
    rerender(show('README.md', readme, 'markdown'));
    expect(await screen.findByRole('heading', { name: 'Typed' })).toBeVisible();
    expect(screen.getByText('Not saved yet')).toBeVisible();
    expect(editor).not.toBeVisible();
    rerender(show('README.md', readme, null));
    expect(editor).toHaveTextContent('# Typed');
  });

  it('of CSV is a table', async () => {
    const io = { read: async () => null, write: async () => undefined, hasNewContent: async () => undefined };
    const { screen } = renderPage(
      <TextFile name="a.csv" file={fileOf('name,age\nAda,36\n')} rendering="table" io={io} draftKey="fixed" />,
    );
    const table = await screen.findByRole('table');
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['name', 'age']);
    expect(
      within(table)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['Ada', '36']);
    expect(screen.queryByRole('button', { name: 'Show as JSON' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Save as CSV' })).toBeNull();
  });
});
