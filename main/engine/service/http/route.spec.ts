/** How paths of jobs are taken apart. */
import { describe, expect, test } from 'vitest';
import { parseJobPath } from './route.ts';

const parts = (url: string): string[] => {
  const { endpointId, operation, first, second, rest } = parseJobPath(url);
  return [endpointId, operation, first, second, rest];
};

describe('a job path', () => {
  test.each<[url: string, parts: string[]]>([
    ['/v2/e/run', ['e', 'run', '', '', '']],
    ['/v2/e/run?a=/b/c', ['e', 'run', '', '', '']],
    ['/v2/e/status/j', ['e', 'status', 'j', '', 'j']],
    ['/v2/e/job-done/w/j?gpu=none', ['e', 'job-done', 'w', 'j', 'w/j']],
    ['/v2/e/openai/v1/chat/completions?x=1', ['e', 'openai', 'v1', 'chat', 'v1/chat/completions']],
    ['/v2/e%2F1/status/a%20b', ['e/1', 'status', 'a b', '', 'a b']],
    ['/v2/e', ['e', '', '', '', '']],
    ['/v2/', ['', '', '', '', '']],
    ['/v2/e//j', ['e', '', 'j', '', 'j']],
    ['/v2/e/run/', ['e', 'run', '', '', '']],
  ])('is taken apart at its slashes: %s', (url, expected) => {
    expect(parts(url)).toEqual(expected);
  });

  test('has a query where there is one, each with its own values', () => {
    expect(parseJobPath('/v2/e/run').query).toBeNull();
    const valueOf = (query: string): string | null => parseJobPath(`/v2/e/job-take/w?${query}`).query!.get('a');
    expect([valueOf('a=1'), valueOf('a=2&b=3'), valueOf('b=%2F'), valueOf('a=%2F+x'), valueOf('a=1')]).toEqual([
      '1',
      '2',
      null,
      '/ x',
      '1',
    ]);
    for (let n = 0; n < 200; n++) expect(valueOf(`a=${n}`)).toBe(String(n));
  });

  test('that is not properly encoded is refused', () => {
    expect(() => parseJobPath('/v2/e/status/%')).toThrow(/percent-encoded/);
  });
});
