import { describe, expect, it } from 'vitest';
import { readNotebook } from './notebook.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const notebook = (...cells: object[]) => readNotebook(JSON.stringify({ cells, nbformat: 4 })) ?? [];
const outputsOf = (...outputs: object[]) =>
  notebook({ cell_type: 'code', source: '', execution_count: 1, outputs })[0]?.outputs ?? [];

describe('a notebook', () => {
  it('has cells whose source is one text or a list of lines', () => {
    expect(
      notebook(
        { cell_type: 'markdown', source: ['# Title\n', 'words'] },
        { cell_type: 'code', source: 'print(1)', execution_count: 3, outputs: [] },
      ),
    ).toEqual([
      { kind: 'markdown', source: '# Title\nwords', run: null, outputs: [] },
      { kind: 'code', source: 'print(1)', language: 'python', run: 3, outputs: [] },
    ]);
  });

  it('names the language of its code', () => {
    const cells = [{ cell_type: 'code', source: 'x' }];
    const language = { language_info: { name: 'julia' } };
    expect(readNotebook(JSON.stringify({ cells, metadata: language }))?.[0]?.language).toBe('julia');
  });

  it('shows pictures, and the plain text beside HTML, but never the HTML', () => {
    const html = ['<script>steal()</script>'];
    const [picture, table, nothing] = [
      outputsOf({ output_type: 'display_data', data: { 'image/png': `${PNG}\n`, 'text/plain': 'a figure' } }),
      outputsOf({ output_type: 'execute_result', data: { 'text/html': html, 'text/plain': ['a ', 'table'] } }),
      outputsOf({ output_type: 'display_data', data: { 'text/html': html, 'application/javascript': 'steal()' } }),
    ];
    expect(picture).toMatchObject([{ kind: 'images', media: [{ type: { name: 'PNG' } }] }]);
    expect(table).toEqual([{ kind: 'text', text: 'a table' }]);
    expect(nothing).toEqual([]);
  });

  it('shows what was printed and the error without the colours of a terminal', () => {
    expect(
      outputsOf(
        { output_type: 'stream', name: 'stdout', text: ['\u001b[31mred\u001b[0m\n'] },
        { output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: [] },
      ),
    ).toEqual([
      { kind: 'text', text: 'red\n' },
      { kind: 'text', text: 'ValueError: no' },
    ]);
  });

  it('is none where the text is other JSON, or is cut off', () => {
    expect(readNotebook('{"cells": 1}')).toBeNull();
    expect(readNotebook('{"cells": [')).toBeNull();
    expect(notebook({ cell_type: 'new kind', source: 7, outputs: 'none' })).toEqual([
      { kind: 'raw', source: '', run: null, outputs: [] },
    ]);
  });
});
