import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linesOf, mutated, mutationsOf, sampleOf, specsReaching } from './mutations.mjs';

/** The texts that a file of this one text is changed into. */
const variants = (source: string, path = 'file.ts'): string[] =>
  mutationsOf(path, source).map((mutation) => mutated(source, mutation));

describe('the mutations of a file', () => {
  it.each([
    ['a comparison gets its opposite', 'a === b;', ['a !== b;']],
    ['a bound moves by one and turns round', 'a < b;', ['a <= b;', 'a >= b;']],
    ['a sum becomes a difference', 'a + b;', ['a - b;']],
    ['an "and" becomes an "or"', 'a && b;', ['a || b;']],
    ['a default is taken where it is not wanted', 'a ?? b;', ['(a) && (b);']],
    ['an addition in place becomes a subtraction', 'a += b;', ['a -= b;']],
    ['a count goes down', 'a++;', ['a--;']],
    ['a negation is left out', 'x = !a;', ['x = a;']],
    ['a boolean becomes the other one', 'x = true;', ['x = false;']],
    ['a number becomes one more', 'x = 4;', ['x = (4 + 1);']],
    ['an empty text gets a content', "x = '';", ["x = 'changed';"]],
    ['a promise is not awaited', 'x = await a();', ['x = a();']],
    ['an optional access is always made', 'x = a?.b;', ['x = a.b;']],
    ['an optional call is always made', 'x = a?.();', ['x = a();']],
    ['an element of a list is left out', 'x = [a, b];', ['x = [b];', 'x = [a, ];']],
    ['a smaller one becomes a larger one', 'x = Math.min(a, b);', ['x = Math.max(a, b);']],
    ['a condition is turned round', 'x = a ? b : c;', ['x = !(a) ? b : c;']],
  ])('say that %s', (_what, source, expected) => {
    expect(variants(source)).toEqual(expect.arrayContaining(expected));
  });

  it('leave out each statement that can be left out, and no declaration', () => {
    const source = 'const f = () => { start(); if (a) return; throw b; };';

    expect(variants(source)).toEqual([
      'const f = () => { ; if (a) return; throw b; };',
      'const f = () => { start(); if (!(a)) return; throw b; };',
      'const f = () => { start(); if (a) ; throw b; };',
      'const f = () => { start(); if (a) return; ; };',
    ]);
  });

  it('leave out the other branch', () => {
    expect(variants('if (a) b(); else c();')).toContain('if (a) b();');
  });

  it('leave types, imports, directives and joined texts as they are', () => {
    const source = `'use strict'; import { a } from ''; type T = 1 | true; export let x: 2 = b as 3; let t = 'a' + b;`;

    expect(variants(source)).toEqual([]);
  });

  it('name the line, and show the expression around the change on one line', () => {
    const [mutation] = mutationsOf('file.ts', 'let a;\nlet x =\n  a ===\n  b;');

    expect(mutation).toMatchObject({ line: 3, before: 'a === b', after: 'a !== b' });
  });
});

describe('a sample of mutations', () => {
  const items = Array.from({ length: 50 }, (_, at) => at);

  it('is the same for the same seed, in the order of the file', () => {
    const sample = sampleOf(items, 10, 7);

    expect(sample).toHaveLength(10);
    expect(sample).toEqual([...sample].sort((one, other) => one - other));
    expect(sampleOf(items, 10, 7)).toEqual(sample);
    expect(sampleOf(items, 10, 8)).not.toEqual(sample);
  });

  it('is everything where it asks for more than there is', () => {
    expect(sampleOf(items, 99, 7)).toEqual(items);
  });
});

describe('chosen lines', () => {
  it('are single lines and spans with both of their ends', () => {
    const isWanted = linesOf('3,10-12');

    expect([2, 3, 4, 9, 10, 11, 12, 13].filter(isWanted)).toEqual([3, 10, 11, 12]);
  });

  it.each(['', 'all', '3-', '1;2'])('are refused when they read "%s"', (text) => {
    expect(() => linesOf(text)).toThrow('--at takes lines such as');
  });
});

describe('the specs that reach a file', () => {
  let root: string;
  const write = (path: string, text: string): string => {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
    return at;
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hangar-mutations-'));
    for (const folder of ['main', 'preload', 'renderer', 'scripts', 'test']) mkdirSync(join(root, folder));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('come by how many imports lie between, with those over support code and package paths', () => {
    const rule = write('main/contract/rule.ts', '');
    write('main/user.ts', "import { a } from '#contract/rule.ts';");
    write('test/support/helper.ts', "import { b } from '../../main/user.ts';");
    const near = write('main/contract/rule.spec.ts', "import { a } from './rule.ts';");
    const far = write('main/user.spec.ts', "import { b } from './user.ts';");
    const farther = write('renderer/page.spec.tsx', "import { c } from '../test/support/helper.ts';");
    write('main/other.spec.ts', "import { d } from './other.ts';");

    expect(specsReaching(rule, root)).toEqual([[near], [far], [farther]]);
  });

  it('are none of those that start whole programs', () => {
    const rule = write('main/rule.ts', '');
    write('test/system/rule.spec.ts', "import { a } from '../../main/rule.ts';");

    expect(specsReaching(rule, root)).toEqual([]);
  });
});
