import { describe, expect, it } from 'vitest';
import { bodySize, lintRequest } from './lintRequest.ts';

const messages = (text: string) => lintRequest(text).map((problem) => `${problem.line}: ${problem.message}`);

describe('a request body', () => {
  it('that the service takes has no problem', () => {
    expect(
      messages('{"input": {"n": 1e3, "s": "\\u00e9\\n"}, "policy": {"ttl": 10000}, "webhook": "http://x"}'),
    ).toEqual([]);
  });

  it('needs an input object', () => {
    expect(messages('{"prompt": "x"}')).toEqual(['1: The "input" object is missing: {"input": {}}.']);
    expect(messages('{\n  "input": [1]\n}')).toEqual(['2: "input" must be an object, not a list.']);
    expect(messages('  ')).toHaveLength(1);
    expect(messages('[]')).toEqual(['1: The body must be an object such as {"input": {}}.']);
  });

  it('is told the range of a policy value, and what was written', () => {
    expect(messages('{"input": {},\n"policy": {"executionTimeout": 4999, "ttl": 10.5}}')).toEqual([
      '2: policy.executionTimeout must be a whole number of milliseconds from 5\u202f000 to 604\u202f800\u202f000 (5 s to 7 d), not 4999.',
      '2: policy.ttl must be a whole number of milliseconds from 10\u202f000 to 604\u202f800\u202f000 (10 s to 7 d), not 10.5.',
    ]);
  });

  it.each([
    ['{"input": {},}', 12, 'There is an extra comma before "}".'],
    ["{'input': {}}", 1, 'A name in double quotes is expected here.'],
    ['{"input" {}}', 9, 'A colon is expected after the name.'],
    ['{"input": {"a": True}}', 16, '"True" is not a JSON value. Put strings in double quotes.'],
    ['{"input": {"a": "x}}', 16, 'This string is not closed on its line.'],
    ['{"input": {"a": "\\x"}}', 17, 'This escape is unknown. To write a backslash, use "\\\\".'],
    ['{"input": {"a": 01}}', 17, 'A comma or "}" is expected here.'],
    ['{"input": {', 11, 'A name in double quotes is expected here.'],
    ['{"input": {}', 0, 'This is not closed: "}" is missing.'],
    ['{"input": {}} x', 14, 'Remove everything after the end of the JSON.'],
  ])('%s is marked where it breaks', (text, from, message) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(lintRequest(text)).toMatchObject([{ from, message }]);
  });

  it('as deep as it likes is never a crash', () => {
    expect(messages(`{"input": {"a": ${'['.repeat(100_000)}`)).toEqual(['1: This is nested too deeply.']);
  });

  it('is measured in bytes against the limit of its mode', () => {
    expect(bodySize('é', 'run')).toMatchObject({ bytes: 2, limit: 10 * 1024 * 1024, words: '2 B of 10 MB' });
    expect(bodySize('x'.repeat(1_300_000), 'runsync').words).toBe('1.2 of 20 MB');
    expect(bodySize('x'.repeat(10 * 1024 * 1024 + 1), 'run').tooLarge).toBe(true);
  });
});
