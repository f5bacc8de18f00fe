import { EditorView } from '@codemirror/view';
import { act, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { readText } from './readText.ts';
import type { Rendering } from './RenderedText.tsx';
import { textDrafts } from './textDrafts.ts';
import { TextFile } from './TextFile.tsx';

let edits = 0;
const ofNoEndpoint: Pick<Parameters<typeof TextFile>[0], 'line' | 'onRun' | 'closing' | 'onEdit'> = {
  onEdit: () => (edits += 1),
  line: null,
  onRun: null,
  closing: null,
};

const fileOf = (text: string) => readText(new TextEncoder().encode(text), false);

/** An open file of this text, on a disk where others write, too. */
async function openFile(text: string, more: Partial<typeof ofNoEndpoint> = {}) {
  let onDisk: string | null = text;
  let reread: string | null = null;
  const io = {
    read: async () => (onDisk === null ? null : fileOf(onDisk)),
    write: async (written: string) => void (onDisk = written),
    hasNewContent: async () => void (reread = onDisk),
  };
  const at = (changedAt: string) => (
    <TextFile
      name="a.py"
      file={fileOf(text)}
      io={io}
      draftKey="a.py"
      changedAt={changedAt}
      {...ofNoEndpoint}
      {...more}
    />
  );
  const page = renderPage(at('10:00'));
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
    /** The list of the folder shows that the file was changed. */
    list: () => page.rerender(at('10:05')),
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

  it('that others change shows the new text at once where the person changed nothing', async () => {
    const file = await openFile('a\n');
    file.others('theirs\n');
    file.list();
    await waitFor(async () => expect(await file.editor()).toHaveTextContent('theirs'));
    expect(file.screen.getByText('Another program changed the file. This is its new text.')).toBeVisible();
    expect(file.isUnsaved()).toBe(false);
  });

  it('that others change says so at once, and keeps what the person typed', async () => {
    const file = await openFile('a\n');
    await file.type('mine ');
    file.others('theirs\n');
    file.list();
    expect(await file.screen.findByText('The file was changed while you had it open.')).toBeVisible();
    expect(await file.editor()).toHaveTextContent('mine a');
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
        changedAt="10:00"
        {...ofNoEndpoint}
      />,
    );
    expect(await screen.findByText(/line endings are mixed/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('is shown as its reader sees it, with what was typed and is not saved yet', async () => {
    const io = { read: async () => null, write: async () => undefined, hasNewContent: async () => undefined };
    const show = (name: string, text: string, rendering: Rendering | null) => (
      <TextFile
        name={name}
        file={fileOf(text)}
        rendering={rendering}
        io={io}
        draftKey="fixed"
        changedAt="10:00"
        {...ofNoEndpoint}
      />
    );
    const readme = '---\ntags: [a]\n---\n# Title\n\n- one\n\n<b>not bold</b>\n';
    const { screen, rerender } = renderPage(show('README.md', readme, 'markdown'));
    expect(await screen.findByRole('heading', { name: 'Title' })).toBeVisible();
    expect(screen.getByRole('region', { name: 'Code, yaml' })).toHaveTextContent('tags: [a]');
    expect(screen.getByRole('listitem')).toHaveTextContent('one');
    expect(screen.getByText(/<b>not bold/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    act(() => screen.getByRole('button', { name: 'Edit' }).click());
    expect(edits).toBe(1);

    rerender(show('README.md', readme, null));
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
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
      <TextFile
        name="a.csv"
        file={fileOf('name,age\nAda,36\n')}
        rendering="table"
        io={io}
        draftKey="fixed"
        changedAt="10:00"
        {...ofNoEndpoint}
      />,
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

  it('opens at a line, at the last one if the file has become shorter', async () => {
    const io = { read: async () => null, write: async () => undefined, hasNewContent: async () => undefined };
    const show = (key: string, line: number) => (
      <TextFile
        key={key}
        name="a.py"
        file={fileOf('one\ntwo\nthree')}
        io={io}
        draftKey={key}
        changedAt="10:00"
        {...ofNoEndpoint}
        line={line}
      />
    );
    const { screen, rerender } = renderPage(show('second', 2));
    const lineOfCursor = async () => {
      const view = EditorView.findFromDOM(await screen.findByRole('textbox', { name: 'Text of a.py' }));
      return view?.state.doc.lineAt(view.state.selection.main.head).text;
    };
    expect(await lineOfCursor()).toBe('two');
    rerender(show('ninth', 9));
    expect(await lineOfCursor()).toBe('three');
  });

  it('of an endpoint is saved before it runs, and does not run where others changed it', async () => {
    let runs = 0;
    const file = await openFile('a\n', { onRun: () => (runs += 1) });
    await file.user.click(file.screen.getByRole('button', { name: 'Run' }));
    expect(runs).toBe(1);
    await file.type('mine ');
    await file.user.click(await file.screen.findByRole('button', { name: 'Save and run' }));
    await waitFor(() => expect(runs).toBe(2));
    expect(file.onDisk()).toBe('mine a\n');
    await file.type('more ');
    file.others('theirs\n');
    await file.user.click(await file.screen.findByRole('button', { name: 'Save and run' }));
    expect(await file.screen.findByText('The file was changed while you had it open.')).toBeVisible();
    expect(runs).toBe(2);
    expect(file.onDisk()).toBe('theirs\n');
  });

  it('is saved from the question before it closes, and stays open where others changed it', async () => {
    let closes = 0;
    const closing = { onStay: () => undefined, onClose: () => (closes += 1) };
    const file = await openFile('a\n', { closing });
    await file.type('mine ');
    const save = async () => {
      const question = await file.screen.findByRole('dialog', { name: 'Close a.py without saving?' });
      await file.user.click(within(question).getByRole('button', { name: 'Save' }));
    };
    file.others('theirs\n');
    await save();
    expect(await file.screen.findByText('The file was changed while you had it open.')).toBeInTheDocument();
    expect(closes).toBe(0);
    file.others('a\n');
    await save();
    await waitFor(() => expect(closes).toBe(1));
    expect(file.onDisk()).toBe('mine a\n');
  });

  it('has a search, whose Escape is not that of the dialog', async () => {
    const file = await openFile('alpha\nbeta\nbeta\n');
    await file.user.click(await file.editor());
    await file.user.keyboard('{Control>}f{/Control}');
    const field = await file.screen.findByRole('textbox', { name: 'Find' });
    // The dialog of the file leaves Escape to what has this.
    expect(field).toHaveAttribute('data-mantine-stop-propagation', 'true');
    expect(await file.editor()).toHaveAttribute('data-mantine-stop-propagation', 'true');
    await file.user.click(field);
    await file.user.keyboard('{Escape}');
    expect(file.screen.queryByRole('textbox', { name: 'Find' })).toBeNull();
    expect(await file.editor()).not.toHaveAttribute('data-mantine-stop-propagation');
  });
});
