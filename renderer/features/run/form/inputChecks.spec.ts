import { expect, it } from 'vitest';
import { checksOf, inputCheckOf, UNCHECKED, type InputCheck } from './inputChecks.ts';
import { checkInput } from './inputFailures.ts';

function checkBody(schema: unknown, body: string): InputCheck {
  const request = checksOf(JSON.stringify(schema))(body);
  return request === null ? UNCHECKED : inputCheckOf(checkInput(request));
}
const check = (schema: unknown, input: unknown) => checkBody(schema, JSON.stringify({ input }));
const misfits = (schema: unknown, input: unknown): string[] => check(schema, input).misfits.map(({ words }) => words);

it('Each field is named with what it needs, in the order of the schema', () => {
  const properties = { text: { type: 'string' }, delay: { type: 'number', minimum: 0, maximum: 2 } };
  const schema = { properties, required: ['text'] };
  expect(misfits(schema, { delay: 9 })).toEqual(['text is required.', 'delay: at most 2.']);
  expect(misfits(schema, { delay: -1, text: 3 })).toEqual(['text: must be a string.', 'delay: at least 0.']);
  expect(misfits(schema, { text: '', delay: 2 })).toEqual([]);
});

it.each([
  [{ type: 'integer' }, 1.5, ['a: must be a whole number.']],
  [{ type: 'integer' }, 2, []],
  [{ type: ['string', 'null'] }, null, []],
  [{ type: ['string', 'null'] }, 1, ['a: must be a string or null.']],
  [{ type: 'array' }, {}, ['a: must be a list.']],
  [{ type: 'dict' }, {}, []],
  [{ type: 'bool' }, 'true', ['a: must be true or false.']],
  [{ type: 'tuple' }, 1, []],
  [{ enum: ['x', 'y'] }, 'z', ['a: must be x or y.']],
  [{ enum: ['x', 1] }, 1, []],
  [{ enum: 'abcdefghij'.split('') }, 'z', ['a: must be a or b or c or d or e or f or g or h, or one of 2 others.']],
  [{ const: 3 }, 4, ['a: must be 3.']],
  [{ exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0, ['a: more than 0.']],
  [{ minimum: 0, exclusiveMinimum: true }, 0, ['a: more than 0.']],
  [{ multipleOf: 8 }, 12, ['a: must be a multiple of 8.']],
  [{ minLength: 3 }, 'ab', ['a: the length must be at least 3.']],
  [{ maxLength: 1 }, 'ab', ['a: the length must be at most 1.']],
  [{ pattern: '^x' }, 'ab', ['a: must match the pattern ^x.']],
  [{ format: 'email' }, 'ab', ['a: must have the format email.']],
  [{ minItems: 1, items: { type: 'string' } }, [], ['a: the length must be at least 1.']],
  [{ items: { type: 'string' } }, ['x', 3], ['a[1]: must be a string.']],
  [{ uniqueItems: true }, [1, 1], ['a: the items must be unique.']],
  [
    { properties: { b: { type: 'integer' } }, required: ['b', 'c'] },
    { b: 'x' },
    ['a.c is required.', 'a.b: must be a whole number.'],
  ],
  [{ additionalProperties: false }, { other: 1 }, ['a.other: the schema does not allow it.']],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 3, ['a: must be a string or null.']],
  [{ anyOf: [{ type: 'string', maxLength: 1 }, { type: 'null' }] }, 'ab', ['a: the length must be at most 1.']],
  [{ anyOf: [{ minimum: 5 }, { multipleOf: 2 }] }, 3, ['a: matches none of the variants that the schema allows.']],
  [
    { oneOf: [{ minimum: 1 }, { multipleOf: 2 }] },
    4,
    ['a: must match exactly one of the variants that the schema allows.'],
  ],
  [{ $ref: '#/$defs/short' }, 'ab', ['a: the length must be at most 1.']],
  [{ not: { type: 'null' } }, null, ['a: does not match "not" of the schema.']],
])('%j with %j: %j', (property, value, words) => {
  expect(misfits({ properties: { a: property }, $defs: { short: { maxLength: 1 } } }, { a: value })).toEqual(words);
});

it('A schema of the whole body, and rules of the validator of the SDK, are held against the input', () => {
  const input = { $ref: '#/$defs/it' };
  const body = {
    properties: { input: { properties: { a: input } } },
    $defs: { it: { type: 'string' } },
  };
  expect(check(body, { a: 1 }).misfits).toEqual([{ name: 'a', words: 'a: must be a string.' }]);
  expect(misfits({ a: { type: 'str', required: true }, b: { type: 'float' } }, { b: 1 })).toEqual(['a is required.']);
});

it('A body that cannot be read has none, and of very many the first are named', () => {
  const schema = { properties: { a: { items: { type: 'string' } } }, required: ['a'] };
  expect(checkBody(schema, '{"input": {').misfits).toEqual([]);
  expect(check(schema, { a: Array.from({ length: 60 }, () => 1) })).toMatchObject({ more: 10 });
});

it.each([
  [{ pattern: '(' }, /cannot be checked against the schema: .*Unterminated group/],
  [{ $ref: '#/nowhere' }, /cannot be checked against the schema: Unresolved \$ref "#\/nowhere"\./],
])('A schema with %j says why it cannot be used', (property, problem) => {
  expect(check({ properties: { a: property } }, { a: 'x' })).toMatchObject({
    misfits: [],
    problem: expect.stringMatching(problem),
  });
});
