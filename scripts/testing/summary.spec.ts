import { expect, test } from 'vitest';
import { failureLines, skipLines } from './summary.mjs';

const skipped = (name: string, reason?: string) => ({ name, state: 'skipped' as const, reason });

test('the end of a run names a few tests that were skipped, with their reason', () => {
  const tests = [skipped('a', 'no GPU'), { name: 'b', state: 'passed' as const }, skipped('c', 'no GPU'), skipped('d')];
  expect(skipLines(tests)).toBe('\nSKIPPED:\n  a\n  c\n    because no GPU\n  d\n    because no reason was given\n');
});

test('the end of a run counts the tests that were skipped for one reason, where they are many', () => {
  const tests = Array.from({ length: 109 }, (_, n) => skipped(`call ${n}`, 'no Go'));
  expect(skipLines(tests)).toBe('\nSKIPPED:\n  call 0\n  and 108 more tests\n    because no Go\n');
});

test('the end of a run in which nothing was skipped has no list', () => {
  expect(skipLines([{ name: 'a', state: 'passed' }])).toBe('');
});

test('the end of a run repeats each failure with the first lines of its error, without colours', () => {
  const failed = (name: string, reason?: string) => ({ stage: 'unit', name, state: 'failed' as const, reason });
  const long = Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n');
  const report = (tests: ReturnType<typeof failed>[], faults: string[] = []) => ({ tests, files: [], faults });
  const lines = failureLines([
    { name: 'types', report: report([failed('types')]) },
    {
      name: 'unit + page',
      report: report([failed('a', '\u001B[31mexpected 1\u001B[39m\n\nto be 2'), failed('b', long)], ['no report']),
    },
  ]).split('\n');
  expect(lines.slice(0, 7)).toEqual(['', 'FAILED:', '  unit: types', '', '  unit: a', '    expected 1', '']);
  expect(lines.filter((line) => line.includes('line '))).toHaveLength(12);
  expect(lines.slice(-3)).toEqual(['  unit + page: outside a test', '    no report', '']);
});

test('the end of a run names the line of the spec that failed, and a check by its name alone', () => {
  const test = { stage: 'unit', name: 'a', state: 'failed' as const, reason: 'expected 1', where: 'main/a.spec.ts:7' };
  const check = { stage: 'format', name: 'format', state: 'failed' as const, reason: 'main/a.ts' };
  expect(failureLines([{ name: 'unit', report: { tests: [test, check], files: [], faults: [] } }])).toBe(
    '\nFAILED:\n  unit: a\n    expected 1\n    at main/a.spec.ts:7\n  format\n    main/a.ts\n',
  );
});

test('the end of a run in which nothing failed repeats nothing', () => {
  expect(failureLines([{ name: 'unit', report: { tests: [], files: [], faults: [] } }])).toBe('');
});
