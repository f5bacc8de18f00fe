import { expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/core/fakeClock.ts';
import { createPieceReader } from './pieceReader.ts';

const MOST = 10;

/** Files by path, and what was requested of them. Answers come in parts of 7 bytes. */
function readerOf(files: Record<string, string>) {
  const clock = createFakeClock();
  const requests: string[] = [];
  const open = new Set<AbortSignal>();
  let breaks = false;
  const reader = createPieceReader({
    clock,
    readOne: ({ path, from, most }) => {
      requests.push(`one ${path} ${from}`);
      return Promise.resolve(Buffer.from((files[path] ?? '').slice(from, from + most)));
    },
    async open({ path, from }, signal) {
      requests.push(`all ${path} ${from}`);
      open.add(signal);
      signal.addEventListener('abort', () => open.delete(signal));
      const text = files[path] ?? '';
      return (async function* () {
        for (let at = from; at < text.length; at += 7) {
          if (breaks) throw new Error('The connection broke.');
          yield Buffer.from(text.slice(at, at + 7));
        }
      })();
    },
  });
  const read = async (path: string, from: number) =>
    Buffer.from(await reader.read({ path, from, most: MOST })).toString();
  return { clock, requests, open, read, stop: reader.stop, breakAnswers: () => void (breaks = true) };
}

const text = (length: number) => Array.from({ length }, (_, n) => String.fromCharCode(97 + (n % 26))).join('');

it('The pieces of a file after its first one are cut out of one answer', async () => {
  const file = text(45);
  const { read, requests, open, clock } = readerOf({ file });
  let whole = '';
  while (whole.length < file.length) whole += await read('file', whole.length);
  expect(whole).toBe(file);
  expect(requests).toEqual(['one file 0', 'all file 10']);
  // The end needs a request of its own, which says that there is nothing.
  expect(await read('file', 45)).toBe('');
  clock.advance(60_000);
  expect([...open]).toEqual([]);
});

it('A piece at another place has a request of its own, and two readers of a file have an answer each', async () => {
  const file = text(100);
  const { read, requests } = readerOf({ file });
  for (const from of [0, 50, 10, 60, 20, 70, 5]) expect(await read('file', from)).toBe(file.slice(from, from + MOST));
  expect(requests).toEqual(['one file 0', 'one file 50', 'all file 10', 'all file 60', 'one file 5']);
});

it('An answer that nobody reads on is closed, and the next piece is read anew', async () => {
  const file = text(100);
  const { read, requests, open, clock } = readerOf({ file });
  for (const from of [0, 10, 20]) await read('file', from);
  expect(open.size).toBe(1);
  clock.advance(4999);
  expect(open.size).toBe(1);
  clock.advance(1);
  expect(open.size).toBe(0);
  expect(await read('file', 30)).toBe(file.slice(30, 40));
  expect(requests).toEqual(['one file 0', 'all file 10', 'one file 30']);
});

it('A broken answer is closed, and its piece has a request of its own', async () => {
  const file = text(100);
  const { read, requests, open, breakAnswers } = readerOf({ file });
  for (const from of [0, 10]) await read('file', from);
  breakAnswers();
  expect(await read('file', 20)).toBe(file.slice(20, 30));
  expect(requests).toEqual(['one file 0', 'all file 10', 'one file 20']);
  expect(open.size).toBe(0);
});

it('At most eight readers have an answer, and the end of the app closes them', async () => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`f${n}`, text(100)]));
  const { read, open, requests, stop } = readerOf(files);
  for (const path of Object.keys(files)) for (const from of [0, 10]) await read(path, from);
  expect(open.size).toBe(8);
  await read('f0', 20);
  expect(requests.at(-1)).toBe('one f0 20');
  stop();
  expect(open.size).toBe(0);
});
