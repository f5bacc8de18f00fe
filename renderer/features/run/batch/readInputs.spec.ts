import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInputs } from './readInputs.ts';

const SIGNS = ['a', '1', ',', ';', '"', '\n', '\r', '\t', '{', '}', '[', ']', ':', ' '];

const bodies = (text: string) => readInputs(text)?.inputs.map(({ line, body }) => `${line}: ${body}`);
const problems = (text: string) => readInputs(text)?.problems.map(({ line, message }) => `${line}: ${message}`);

describe('a list of JSON Lines', () => {
  it('has an input or a whole request on each line, as it is written', () => {
    const text = '{"n": 9007199254740993}\r\n\n{"input": {"a": 1}, "policy": {"ttl": 60000}}\n{"input": "text"}\n';
    expect(problems(text)).toEqual([]);
    expect(bodies(text)).toEqual([
      '1: {"input": {"n": 9007199254740993}}',
      '3: {"input": {"a": 1}, "policy": {"ttl": 60000}}',
      '4: {"input": {"input": "text"}}',
    ]);
  });

  it('names each bad line with its number', () => {
    expect(
      problems('{"a": 1}\n{"a": }\n[1]\n{"input": {}, "policy": {"ttl": 5}}\n{"input": {}, "s3Config": {}}'),
    ).toEqual([
      '2: A value is missing before "}".',
      '3: Each line must be an object: an input, or a request with "input".',
      expect.stringMatching(/^4: policy\.ttl must be a whole number/),
      '5: A batch stores no keys, so "s3Config" is refused. Run this input alone.',
    ]);
  });

  it('says where it has to be split when it is too long', () => {
    const text = Array.from({ length: 10_001 }, () => '{}').join('\n');
    expect(problems(text)).toEqual([
      '10001: The list has 10\u202f001 inputs; a batch has at most 10\u202f000. Split it here.',
    ]);
  });
});

describe('a list of CSV', () => {
  it('has the names of the fields in its first line, and values by their form', () => {
    const text = 'prompt,steps,tile,tags\n"a ""quiet"", harbour",30,true,"[1, 2]"\n"30",,,\n\nx,007,"",null\n';
    expect(problems(text)).toEqual([]);
    expect(bodies(text)).toEqual([
      '2: {"input": {"prompt": "a \\"quiet\\", harbour", "steps": 30, "tile": true, "tags": [1, 2]}}',
      '3: {"input": {"prompt": "30"}}',
      '5: {"input": {"prompt": "x", "steps": "007", "tile": "", "tags": null}}',
    ]);
  });

  it('may separate by semicolons or tabs, and have line breaks within quotes', () => {
    expect(bodies('a;b\n1;"x,\ny"\n2;z')).toEqual([
      '2: {"input": {"a": 1, "b": "x,\\ny"}}',
      '4: {"input": {"a": 2, "b": "z"}}',
    ]);
    expect(bodies('a\tb\r\n1\t2\r\n')).toEqual(['2: {"input": {"a": 1, "b": 2}}']);
  });

  it.each([
    ['a,b\n1,2,3', '2: This line has 3 values, but the first line has 2 column names.'],
    ['a,a\n1,2', '1: Two columns have the name "a".'],
    ['a,\n1,2', '1: Every column needs a name in the first line.'],
    ['a\n', '1: There are no inputs below the column names.'],
    ['a\n"b', '2: The quotes that begin here are not closed.'],
    ['a\n"b"c', '2: A comma or the end of the line must follow the closing quotes.'],
  ])('%j is refused with its line', (text, problem) => expect(problems(text)).toEqual([problem]));
});

describe('any text', () => {
  it('is read without an error, and each input is JSON', () => {
    expect(readInputs(' \n')).toBeNull();
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...SIGNS) }), (text) => {
        for (const { body } of readInputs(text)?.inputs ?? []) JSON.parse(body);
      }),
    );
  });
});
