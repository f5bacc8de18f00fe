/** Rules of lines that a terminal wraps, on the emulator without a page. */
import { Terminal } from '@xterm/headless';
import { expect, it } from 'vitest';
import { lineText } from './lineText.ts';

async function bufferOf(columns: number, output: string) {
  const terminal = new Terminal({ cols: columns, rows: 10, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  return terminal.buffer.active;
}

it('A wrapped line is one text from any of its rows, and a part of it has its cells', async () => {
  const buffer = await bufferOf(10, 'first\r\nsee /srv/long/name.py now\r\nlast');
  for (const row of [1, 2, 3]) {
    const { text, rangeOf } = lineText(buffer, row);
    expect(text.trimEnd()).toBe('see /srv/long/name.py now');
    const start = text.indexOf('/srv');
    expect(rangeOf(start, start + '/srv/long/name.py'.length)).toEqual({ start: { x: 5, y: 2 }, end: { x: 1, y: 4 } });
  }
});

it('Wide characters have two cells, also one that did not fit at the end of a row', async () => {
  const buffer = await bufferOf(8, '/a/模型/模/b.py');
  const { text, rangeOf } = lineText(buffer, 0);
  expect(text.trimEnd()).toBe('/a/模型/模/b.py');
  expect(rangeOf(0, 5)).toEqual({ start: { x: 1, y: 1 }, end: { x: 7, y: 1 } });
  expect(rangeOf(6, 7)).toEqual({ start: { x: 1, y: 2 }, end: { x: 2, y: 2 } });
});
