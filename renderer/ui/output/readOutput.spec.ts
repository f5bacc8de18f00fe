import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { samples } from '../../../test/support/page/mediaSamples.ts';
import { chunkWords } from './chatText.ts';
import { markdownSegments } from './markdownSigns.ts';
import { readOutput } from './readOutput.ts';

const { png, wav, mp4, pdf } = samples;
const kinds = (value: unknown): string[] => readOutput(JSON.stringify(value)).map((part) => part.kind);
const completion = (content: string) => ({ choices: [{ index: 0, message: { role: 'assistant', content } }] });

describe('an output is shown by what it is', () => {
  it.each<[string, unknown, string[]]>([
    ['a text', 'a quiet harbour', ['text']],
    ['a text with signs of markdown', '# Title\n\nwords', ['markdown']],
    ['a picture in base64', png.base64, ['images']],
    ['a picture as a data address', `data:image/png;base64,${png.base64}`, ['images']],
    ['the address of a picture', 'https://example.com/a.png', ['images']],
    ['a list of pictures', [png.base64, png.base64], ['images']],
    ['pictures in an object', { images: [png.base64, png.base64] }, ['images']],
    ['pictures deep in lists', { data: [{ b64_json: png.base64 }] }, ['images']],
    ['pictures beside other values', { images: [png.base64], seed: 1 }, ['images', 'tree']],
    ['sound and a film', { audio: wav.base64, video: mp4.base64 }, ['players']],
    ['a file', { document: pdf.base64, pages: 0 }, ['files', 'tree']],
    ['a completion', completion('Hello'), ['chat']],
    ['a list of pieces of one', [{ choices: [{ tokens: ['a', 'b'] }] }, { choices: [{ tokens: ['c'] }] }], ['chat']],
    ['a list of objects', [{ a: 1 }, { a: 2, b: 3 }], ['table']],
    ['a list of objects in an object', { rows: [{ a: 1 }, { a: 2 }] }, ['table']],
    ['a list of objects beside other values', { total: 2, rows: [{ a: 1 }, { a: 2 }] }, ['table', 'tree']],
    ['two lists of objects', { rows: [{ a: 1 }, { a: 2 }], others: [{ a: 1 }, { a: 2 }] }, ['table', 'table']],
    ['a list of objects within objects', { result: { found: { rows: [{ a: 1 }, { a: 2 }] } } }, ['table', 'tree']],
    [
      'a list of objects beside a picture',
      { image: png.base64, rows: [{ a: 1 }, { a: 2 }] },
      ['images', 'table', 'tree'],
    ],
    ['a list of objects with pictures', { n: 2, rows: [{ a: png.base64 }, { a: png.base64 }] }, ['images', 'tree']],
    [
      'too many lists of objects',
      Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, [{ a: 1 }, { a: 2 }]])),
      ['tree'],
    ],
    ['a list of one object in an object', { rows: [{ a: 1 }] }, ['tree']],
    ['a list of objects of lists', { rows: [{ a: [1] }, { a: [2], b: [3] }] }, ['tree']],
    ['a list of objects of lists alone', [{ a: [1] }, { a: [2], b: { c: 3 } }], ['tree']],
    [
      'a list of objects with some lists',
      [
        { a: 1, b: [1] },
        { a: 2, b: [2] },
      ],
      ['table'],
    ],
    [
      'a list of objects beside one of objects of lists',
      { rows: [{ a: 1 }, { a: 2 }], more: [{ a: [1] }, { a: [2] }] },
      ['table', 'tree'],
    ],
    ['a list of other values', [1, 'two', null], ['tree']],
    ['an empty list', [], ['tree']],
    ['an object', { seed: 1 }, ['tree']],
    ['an object with a long answer', { output: 'word '.repeat(40), tokens: 40 }, ['text', 'tree']],
    ['JSON within a text', '{"seed": 1}', ['tree']],
    ['a number', 12, ['text']],
    ['nothing', null, ['text']],
  ])('%s', (_, value, expected) => expect(kinds(value)).toEqual(expected));

  it.each<[string, unknown, (string | undefined)[]]>([
    ['beside its data', { filename: 'report.pdf', document: pdf.base64 }, ['report.pdf']],
    ['in each object of a list', [{ image: png.base64, name: 'a.png' }, { image: png.base64 }], ['a.png', undefined]],
    ['not that of something else', { name: 'A cat', image: png.base64 }, [undefined]],
    ['not a path', { filename: '../../a.png', image: png.base64 }, [undefined]],
    ['not beside several', { name: 'a.png', front: png.base64, back: png.base64 }, [undefined, undefined]],
  ])('with the name of a file: %s', (_, value, names) => {
    const parts = readOutput(JSON.stringify(value));
    expect(parts.flatMap((part) => ('media' in part ? part.media : [])).map(({ fileName }) => fileName)).toEqual(names);
  });

  it('with all digits of its numbers', () => {
    expect(readOutput('{"n":9007199254740993.10}')).toEqual([
      { kind: 'tree', text: '{"n":9007199254740993.10}', hasMedia: false },
    ]);
  });

  it('also where it was cut off', () => {
    expect(readOutput('{"a": "b')).toEqual([{ kind: 'text', text: '{"a": "b' }]);
  });

  it('whatever value a handler returns', () => {
    fc.assert(
      fc.property(fc.json(), (raw) => {
        expect(readOutput(raw).length).toBeGreaterThan(0);
      }),
    );
  });

  it('a table has the names of all its first rows as columns', () => {
    expect(readOutput('[{"a":1},{"b":2,"a":1}]')).toMatchObject([{ kind: 'table', columns: ['a', 'b'], name: null }]);
  });

  it('a table of a field has its name, and the tree beside it folds the field', () => {
    const rows = '[{"a":1},{"a":2}]';
    expect(readOutput(`{"n":2,"found objects":${rows}}`)).toMatchObject([
      { kind: 'table', text: rows, name: 'found objects' },
      { kind: 'tree', tables: ['["found objects"]'] },
    ]);
    expect(readOutput(`{"all":{"n":2,"rows":${rows}}}`)).toMatchObject([
      { kind: 'table', text: rows, name: 'all.rows' },
      { kind: 'tree', tables: ['all.rows'] },
    ]);
  });
});

describe('a conversation', () => {
  it('has its words, its thoughts, its calls and its tokens', () => {
    const message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Hello ' },
        { type: 'text', text: 'there' },
      ],
      reasoning_content: 'Greet.',
      tool_calls: [{ function: { name: 'weather', arguments: '{"at":"sea"}' } }],
    };
    const answer = {
      model: 'small',
      choices: [{ message, finish_reason: 'length' }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    };
    expect(readOutput(JSON.stringify(answer))).toEqual([
      {
        kind: 'chat',
        chat: {
          model: 'small',
          tokens: { input: 3, output: 2 },
          messages: [
            {
              role: 'assistant',
              text: 'Hello there',
              reasoning: 'Greet.',
              toolCalls: [{ name: 'weather', args: '{"at":"sea"}' }],
              finish: 'length',
            },
          ],
        },
      },
    ]);
  });

  it.each([
    ['{"choices":[{"delta":{"content":"wo"}}]}', 'wo'],
    ['{"choices":[{"tokens":["a","b"]}],"usage":{"input":1}}', 'ab'],
    ['{"choices":[{"text":"plain"}]}', 'plain'],
    ['{"choices":[{"delta":{"role":"assistant"}}]}', ''],
    ['{"choices":[{"delta":{"tool_calls":[{"function":{"name":"f"}}]}}]}', null],
    ['{"choices":3}', null],
    ['{"choices":[{"delta":{"content":"cut', null],
    ['{"step":1}', null],
  ])('takes the words of the chunk %s', (raw, words) => expect(chunkWords(raw)).toBe(words));
});

describe('long markdown in segments', () => {
  const paragraph = `${'word '.repeat(300)}\n\n`;

  it('is the text, and keeps its segments while it grows', () => {
    const text = `${paragraph.repeat(8)}end`;
    const segments = markdownSegments(text);
    expect(segments.length).toBeGreaterThan(1);
    expect(segments.join('')).toBe(text);
    const longer = markdownSegments(text + paragraph.repeat(9));
    expect(longer.slice(0, segments.length - 1)).toEqual(segments.slice(0, -1));
  });

  it('is not cut within a fence', () => {
    const code = `\`\`\`\n${'line\n\nline\n'.repeat(900)}\`\`\`\n\n`;
    expect(markdownSegments(`${code}after`)[0]).toBe(code);
  });
});
