/** Rules of what in the output of a terminal may be a path. */
import { describe, expect, it } from 'vitest';
import { absolutePath, MOST_PATHS, pathsIn } from './pathsIn.ts';

const paths = (text: string): string[] => pathsIn(text).map(({ path }) => path);
/** The part of the text that would be underlined for the first candidate. */
const marked = (text: string): string | undefined => {
  const [first] = pathsIn(text);
  return first && text.slice(first.start, first.end);
};

describe('a path in a text', () => {
  it.each([
    ['see /var/log/app.log.', '/var/log/app.log'],
    ['open ./x, please', './x'],
    ['(../a/b.py)', '../a/b.py'],
    ['~/notes.txt: 3 lines', '~/notes.txt'],
    ['at run (file:///srv/app/main.mjs:10:3)', '/srv/app/main.mjs'],
    ['src/core/main.c:12:3: error: expected', 'src/core/main.c'],
    ['main.rs:7: warning', 'main.rs'],
    ['page.tsx(12,3): error TS2322', 'page.tsx'],
    ['--out=/tmp/result.bin', '/tmp/result.bin'],
    ['"/srv/my models/a.bin" is new', '/srv/my models/a.bin'],
    ['/srv/ä/模型.bin', '/srv/ä/模型.bin'],
  ])('is found in %s', (text, path) => {
    expect(paths(text)).toContain(path);
  });

  it('is marked with its line and column, and without quotes and the signs around it', () => {
    expect(marked('(src/main.c:12:3), again')).toBe('src/main.c:12:3');
    expect(marked('  File "/srv/my app.py", line 4')).toBe('/srv/my app.py');
    expect(marked('at /srv/app.py.')).toBe('/srv/app.py');
  });

  it('has the whole word before its parts, so that a name with brackets or a comma is found, too', () => {
    expect(paths('/srv/[id]/a,b.ts')[0]).toBe('/srv/[id]/a,b.ts');
    expect(paths('PATH=/usr/bin:/opt/tools/bin')).toEqual([
      'PATH=/usr/bin:/opt/tools/bin',
      '/usr/bin',
      '/opt/tools/bin',
    ]);
  });

  it.each([
    'https://example.com/a/b.py',
    'ssh://host/srv/x',
    '//elsewhere/share/x',
    '/',
    '..',
    'just.a.sentence with v1.2.3',
    `/${'x'.repeat(2000)}`,
  ])('is none in %s', (text) => {
    expect(paths(text)).toEqual([]);
  });

  it('is one of a bounded number, however many a program writes', () => {
    expect(paths('/a/b '.repeat(500))).toHaveLength(MOST_PATHS);
    expect(paths('(['.repeat(5000) + '/a/b').length).toBeLessThanOrEqual(MOST_PATHS);
  });
});

it('A relative path needs the folder of the shell, and none leads above the root', () => {
  expect(absolutePath('./a/../b.py', '/srv/app')).toBe('/srv/app/b.py');
  expect(absolutePath('../b.py', '/srv/app/')).toBe('/srv/b.py');
  expect(absolutePath('b.py', null)).toBeNull();
  expect(absolutePath('/srv//app/./x/', null)).toBe('/srv/app/x');
  expect(absolutePath('~/a/../b', null)).toBe('~/b');
  expect(absolutePath('/../../etc', '/srv')).toBeNull();
  expect(absolutePath('~/../other', '/srv')).toBeNull();
});
