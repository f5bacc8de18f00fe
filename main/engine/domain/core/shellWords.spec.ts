import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitCommandLine } from './shellWords.ts';

/** What the words of a line are to a shell, many lines at once; null where it finds a quote that is not closed. */
function shellWords(lines: string[]): (string[] | null)[] {
  const answer = lines.map(
    (line) => `(eval ${quoted(`set -- ${line}`)} && printf '%s\\0' "$#" "$@") 2>/dev/null || printf '%s\\0' -1`,
  );
  const printed = execFileSync('/bin/sh', ['-c', answer.join('\n')], { encoding: 'utf8' }).split('\0');
  let at = 0;
  return lines.map(() => {
    const count = Number(printed[at++]);
    if (count < 0) return null;
    return printed.slice(at, (at += count));
  });
}
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

describe('a command line', () => {
  it.each([
    ['', []],
    ['  \t ', []],
    ['python -u /workspace/run.py', ['python', '-u', '/workspace/run.py']],
    [`bash -c "echo 'two words'; sleep infinity"`, ['bash', '-c', "echo 'two words'; sleep infinity"]],
    [`a\\ b "c\\d" 'e\\f' "" g"h"'i'`, ['a b', 'c\\d', 'e\\f', '', 'ghi']],
    [
      'jupyter lab --ip=* --token=$TOKEN # not a comment',
      ['jupyter', 'lab', '--ip=*', '--token=$TOKEN', '#', 'not', 'a', 'comment'],
    ],
    ['one \\\n  two', ['one', 'two']],
    ['ends\\', ['ends\\']],
  ])('%j is %j', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });

  it('with a quote that is not closed is refused, with the quote', () => {
    expect(() => splitCommandLine(`bash -c "echo hello`)).toThrow(/has a " that is not closed: bash -c "echo hello/);
    expect(() => splitCommandLine(`it's`)).toThrow(/has a ' that is not closed/);
  });

  it('gives back whatever words are quoted and put together, however many spaces are between them', () => {
    const word = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(word), fc.stringMatching(/^[ \t\n]+$/), (words, space) => {
        expect(splitCommandLine(words.map(quoted).join(space))).toEqual(words);
      }),
    );
  });

  it('is what a shell makes of it, where nothing in it is expanded', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', '-', '=', '/', '.', ' ', '"', "'", '\\') });
    const lines = fc.sample(line, 500).filter((text) => !text.endsWith('\\'));
    const expected = shellWords(lines);
    lines.forEach((text, place) => {
      const words = expected[place]!;
      if (words === null) expect(() => splitCommandLine(text), text).toThrow('not closed');
      else expect(splitCommandLine(text), text).toEqual(words);
    });
  });
});
