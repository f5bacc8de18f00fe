import { ORPCError } from '@orpc/server';
import { fireEvent, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { bytesNamed, samples } from '../../../test/support/page/mediaSamples.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { JobTabs } from './JobTabs.tsx';

const { png, wav, webm, pdf } = samples;

/** The bytes behind each address of a blob, which jsdom does not make. */
const blobs = new Map<string, Blob>();

beforeEach(() => {
  blobs.clear();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  URL.createObjectURL = (blob) => {
    const address = `blob:${blobs.size}`;
    if (blob instanceof Blob) blobs.set(address, blob);
    return address;
  };
  URL.revokeObjectURL = () => undefined;
});

type Answers = Parameters<typeof renderPage>[1];

function show(output: unknown, { chunks = [], answers }: { chunks?: LedgerChunk[]; answers?: Answers } = {}) {
  const raw = typeof output === 'string' && output.startsWith('raw:') ? output.slice(4) : JSON.stringify(output);
  const entry = entryOf({ status: 'COMPLETED', finishedAt: 2, chunkCount: chunks.length });
  return renderPage(<JobTabs entry={entry} chunks={chunks} output={raw ?? null} />, answers);
}

const texts = (...values: unknown[]): LedgerChunk[] =>
  values.map((value, index) => ({ index, at: index * 100, text: JSON.stringify(value) }));

const running = entryOf({ status: 'IN_PROGRESS', finishedAt: null });
const done = entryOf({ status: 'COMPLETED', finishedAt: 2 });

describe('pictures', () => {
  it('are a grid with their bytes behind them, and what else came stands as a tree', async () => {
    const { screen } = show({ images: [png.base64, png.base64], seed: 4711 });
    const images = await screen.findAllByRole('img', { name: /^Image \d of the output$/ });
    expect(images).toHaveLength(2);
    const bytes = blobs.get(images[0]?.getAttribute('src') ?? '');
    expect(bytes?.type).toBe('image/png');
    expect(bytes?.size).toBe(bytesNamed('png').length);
    expect(await screen.findByText('[ 2 × image/png ]')).toBeVisible();
    expect(screen.getByText('4711')).toBeVisible();
  });

  it('that are drawn by code are images only: nothing of the drawing becomes part of the page', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>';
    const { screen } = show({ drawing: svg });
    const image = await screen.findByRole('img', { name: 'Image 1 of the output' });
    expect(blobs.get(image.getAttribute('src') ?? '')?.type).toBe('image/svg+xml');
    expect(document.querySelector('svg[onload], script')).toBeNull();
  });

  it('on a host that was not asked are not counted as there, and are not saved', async () => {
    const { screen } = show({ images: [png.base64, 'https://cdn.example.com/b.png', png.base64] });
    const images = await screen.findAllByRole('img', { name: /^Image \d of the output$/ });
    for (const image of images) fireEvent.load(image);
    expect(await screen.findByText('2 of 3 images loaded')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Save 2 images' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Save all/ })).toBeNull();
    // What asks for the other host stands in its place, between the two.
    const ask = screen.getByRole('button', { name: 'Load from cdn.example.com' });
    const after = (one: Element, other: Element) =>
      one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
    expect([images.length, after(images[0]!, ask) !== 0, after(ask, images[1]!) !== 0]).toEqual([2, true, true]);
  });

  it('that are damaged say so', async () => {
    const { screen } = show({ image: png.base64.slice(0, 41) });
    expect(await screen.findByText(/Its base64 is damaged/)).toBeVisible();
  });
});

describe('media on another host', () => {
  const address = 'https://cdn.example.com/cats/four.png';

  // That they are shown then is a test in a real browser: jsdom hands no bytes over a port.
  it('are loaded by the app, only after a click that names the host, and a failure is said there', async () => {
    const load = vi.fn(() => Promise.reject(new ORPCError('UPSTREAM', { message: 'cdn.example.com answered 404.' })));
    const { screen, user } = show({ image_url: address, seed: 1 }, { answers: { media: { load } } });
    const button = await screen.findByRole('button', { name: 'Load from cdn.example.com' });
    expect(load).not.toHaveBeenCalled();
    expect(document.querySelector('[src]')).toBeNull();
    await user.click(button);
    expect(await screen.findByText(/answered 404/)).toBeVisible();
    expect(load).toHaveBeenCalledExactlyOnceWith({ url: address }, expect.anything());
    expect(screen.getByRole('button', { name: 'Load from cdn.example.com' })).toBeEnabled();
  });
});

describe('sound, films and files', () => {
  it('have the controls of the browser, and can be saved', async () => {
    const { screen } = show({ speech: wav.base64, clip: webm.base64 });
    expect(await screen.findByLabelText('Audio')).toHaveAttribute('controls');
    expect(screen.getByLabelText('Video')).toHaveAttribute('controls');
    expect(screen.getAllByRole('button', { name: 'Save' })).toHaveLength(2);
  });

  it('a file on another host is called by its name', async () => {
    const { screen } = show({ url: 'https://cdn.example.com/rows.csv' });
    expect(await screen.findByText('rows.csv')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Load from cdn.example.com' })).toBeVisible();
  });

  it('a file is saved under the name that stands beside its data', async () => {
    const { screen, user } = show({ filename: 'report.pdf', document: pdf.base64 });
    expect(await screen.findByText('report.pdf')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const click = vi.mocked(HTMLAnchorElement.prototype.click);
    expect(click.mock.contexts.map((link) => (link as HTMLAnchorElement).download)).toContain('report.pdf');
  });

  it('a file is named with its type and size, and never opened', async () => {
    const { screen, user } = show(pdf.base64);
    expect(await screen.findByText(/PDF · \d+ B/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(blobs.get('blob:1')?.type).toBe('application/pdf');
    expect(document.querySelector('iframe, object, embed')).toBeNull();
  });
});

describe('formatted text', () => {
  it('has headings, lists, tables and code', async () => {
    const { screen } = show('# Title\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nprint(1)\n```');
    expect(await screen.findByRole('heading', { name: 'Title' })).toBeVisible();
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(screen.getByRole('columnheader', { name: 'b' })).toBeVisible();
    expect(screen.getByRole('region', { name: 'Code, py' })).toHaveTextContent('print(1)');
  });

  it.each([
    '# x\n\n<script>window.hit = 1</script>',
    '# x\n\n<img src=x onerror="window.hit = 1">',
    '# x\n\n<iframe src="https://example.com"></iframe>',
    '# x\n\n[link](javascript:window.hit=1)',
    '# x\n\n[link](data:text/html,<script>1</script>)',
    '# x\n\n<a href="javascript:1" onclick="window.hit = 1">link</a>',
    '# x\n\n![p](https://example.com/pixel.png)',
    '# x\n\n![p](javascript:1)',
  ])('of a hostile worker stays text: %j', async (text) => {
    const { screen } = show(text);
    await screen.findByRole('heading', { name: 'x' });
    const output = screen.getByRole('region', { name: 'Output' });
    expect(output.querySelector('script, iframe, object, embed, [onerror], [onclick], [src]')).toBeNull();
    expect(output.querySelector('a:not([href^="https://"])')).toBeNull();
  });

  it('links to the web open outside, without a trace of this page', async () => {
    const { screen } = show('# x\n\n[docs](https://example.com/docs)');
    const link = await screen.findByRole('link', { name: 'docs' });
    expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('title', 'https://example.com/docs');
  });
});

it('A job that was deleted before its output was read is not said to have returned nothing', async () => {
  const entry = entryOf({ status: 'COMPLETED', finishedAt: 2, chunkGap: 'unread' });
  const { screen } = renderPage(<JobTabs entry={entry} chunks={[]} output={null} />);
  expect(await screen.findByText('Done, output unknown')).toBeVisible();
  expect(screen.queryByText('The handler returned nothing.')).toBeNull();
});

it('A completion is a conversation, with its model and tokens', async () => {
  const message = { role: 'assistant', content: 'It is **warm**.', reasoning_content: 'Feel it.' };
  const { screen } = show({
    model: 'small',
    choices: [{ message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 4 },
  });
  const answer = await screen.findByRole('article', { name: 'Assistant' });
  await waitFor(() => expect(answer).toHaveTextContent('It is warm.'));
  expect(within(answer).getByText('Reasoning')).toBeVisible();
  expect(screen.getByText('small · 7 tokens in · 4 tokens out')).toBeVisible();
});

it('A list of objects is a table, and can be shown as JSON', async () => {
  const { screen, user } = show([
    { name: 'a', score: 0.5 },
    { name: 'b', score: 1, '<b>': null },
  ]);
  expect(await screen.findByRole('columnheader', { name: '<b>' })).toBeVisible();
  expect(screen.getByRole('cell', { name: '0.5' })).toHaveAttribute('data-kind', 'number');
  await user.click(screen.getByRole('button', { name: 'Show as JSON' }));
  expect(await screen.findByRole('tree')).toBeVisible();
});

it('A list of objects in a field is a table with the name of the field, which folds it', async () => {
  const { screen, user } = show({ n: 2, rows: [{ name: 'first', box: [1, 2] }, { name: 'second' }] });
  const name = await screen.findByRole('button', { name: 'rows' });
  expect(screen.getByRole('cell', { name: '[1,2]' })).toBeVisible();
  await user.click(name);
  expect(name).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByRole('cell', { name: 'first' })).toBeNull();
});

describe('the tree', () => {
  it('is moved through and folded by keys, and copies values and paths', async () => {
    const { screen, user } = show({ a: { b: [1, 'two'] }, c: 3 });
    const tree = await screen.findByRole('tree');
    const names = () =>
      within(tree)
        .getAllByRole('treeitem')
        .map((row) => row.textContent);
    await waitFor(() => expect(names()).toEqual(['{', 'a: {', 'b: [', '0: 1', '1: "two"', 'c: 3']));
    tree.focus();
    await user.keyboard('{ArrowDown}{ArrowLeft}');
    expect(names()).toEqual(['{', 'a: { b: […] } 1 key', 'c: 3']);
    await user.keyboard('{ArrowRight}{ArrowDown}{ArrowDown}{ArrowDown}{Control>}c{/Control}');
    expect(await navigator.clipboard.readText()).toBe('two');
    await user.click(screen.getByRole('button', { name: 'Copy path a.b[1]' }));
    expect(await navigator.clipboard.readText()).toBe('a.b[1]');
  });

  it('shows closing brackets, which the keys pass over', async () => {
    const { screen, user } = show({ a: { b: [1, 'two'] }, c: 3 });
    const tree = await screen.findByRole('tree');
    await within(tree).findByText('c');
    const lines = [...tree.children].map(({ textContent }) => textContent);
    expect(lines).toEqual(['{', 'a: {', 'b: [', '0: 1', '1: "two"', ']', '}', 'c: 3', '}']);
    tree.focus();
    const copied = async (keys: string) => {
      await user.keyboard(`${keys}{Control>}c{/Control}`);
      return navigator.clipboard.readText();
    };
    expect(await copied('{End}')).toBe('3');
    expect(await copied('{ArrowUp}')).toBe('two');
    expect(await copied('{ArrowDown}{ArrowDown}')).toBe('3');
  });

  it('of a hundred thousand values has elements for those in sight only', async () => {
    const { screen } = show(Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index])));
    const tree = await screen.findByRole('tree');
    const rows = await within(tree).findAllByRole('treeitem');
    expect(rows.length).toBeLessThan(200);
  });

  it('has a link for an address, which opens outside by a click or by Enter', async () => {
    const address = 'https://example.com/results/7.html';
    const { screen, user } = show({ report: address, odd: 'javascript:alert(1)' });
    const link = await screen.findByRole('link', { name: `"${address}"` });
    expect(link).toHaveAttribute('href', address);
    expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    expect(screen.getAllByRole('link')).toHaveLength(1);
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    screen.getByRole('tree').focus();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(open).toHaveBeenCalledExactlyOnceWith(address, '_blank', 'noopener,noreferrer');
  });

  it('keeps numbers that JavaScript cannot hold', async () => {
    const { screen } = show('raw:{"n":9007199254740993.10}');
    expect(await screen.findByText('9007199254740993.10')).toBeVisible();
  });
});

describe('a stream', () => {
  it('of pieces of a completion reads as text, and what was returned besides stands below it', async () => {
    const { screen } = show(
      { total: 2 },
      {
        chunks: texts(
          { choices: [{ delta: { content: 'Four ' } }] },
          { choices: [{ delta: { content: 'machines' } }] },
        ),
      },
    );
    expect(screen.getByText('Four machines')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Returned at the end' })).toBeVisible();
    expect(await screen.findByText('total')).toBeVisible();
  });

  it('of objects with the same names is a table that grows', () => {
    const steps = texts({ step: 1, loss: 1 }, { step: 2, loss: 0.5 }, { step: 3, loss: 0.25, saved: true });
    const { screen, rerender } = renderPage(<JobTabs entry={running} chunks={steps.slice(0, 1)} output={null} />);
    const table = screen.getByRole('region', { name: 'Table of the output' });
    expect(within(table).getAllByRole('row')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Show as JSON' })).toBeNull();
    rerender(<JobTabs entry={done} chunks={steps} output={null} />);
    const rows = within(table).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent)).toEqual(['steplosssaved', '11', '20.5', '30.25true']);
    expect(screen.getByText('3 rows')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Show as JSON' })).toBeVisible();
  });

  it('of very many objects shows the newest rows, and earlier ones after a click', async () => {
    const chunks = texts(...Array.from({ length: 250 }, (_, row) => ({ row, name: `row ${row}` })));
    const begun = <JobTabs entry={running} chunks={chunks.slice(0, 2)} output={null} />;
    const { screen, user, rerender } = renderPage(begun);
    rerender(<JobTabs entry={done} chunks={chunks} output={null} />);
    expect(screen.getByText('row 249')).toBeVisible();
    expect(screen.queryByText('row 0')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show earlier ones of the 250 rows' }));
    expect(screen.getByText('row 0')).toBeVisible();
  });

  it('shows the pictures among its chunks', async () => {
    const { screen } = show([], { chunks: texts({ step: 1 }, { step: 2, preview: png.base64 }) });
    expect(screen.getByText('{"step": 1}')).toBeVisible();
    expect(await screen.findByRole('img', { name: 'Image 1 of the output' })).toBeVisible();
  });
});

describe('the tab bar', () => {
  it('copies the output as it reads', async () => {
    const { screen, user } = show([], { chunks: texts('Four ', 'machines') });
    await user.click(screen.getByRole('button', { name: 'Copy output' }));
    expect(await navigator.clipboard.readText()).toBe('Four machines');
  });

  it.each<[string, unknown, string, string]>([
    ['a picture', png.base64, 'image/png', 'words-job-1.png'],
    ['a text', 'words', 'text/plain', 'words-job-1.txt'],
    ['an object', { a: 1 }, 'application/json', 'words-job-1.json'],
  ])('saves %s as the file it is', async (_, value, type, name) => {
    const names: string[] = [];
    vi.mocked(HTMLAnchorElement.prototype.click).mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const { screen, user } = show(value);
    await user.click(screen.getByRole('button', { name: 'Save output' }));
    expect([...blobs.values()].at(-1)?.type).toBe(type);
    expect(names).toEqual([name]);
  });
});
