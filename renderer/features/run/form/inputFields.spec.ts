import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeMember } from '../editor/memberText.ts';
import { controlOf, descriptionOf, placeholderOf, typedOf, writtenOf } from './fieldText.ts';
import { inferFields, readFields, readInput, schemaOf, type InputField } from './inputFields.ts';

const fieldsOf = (schema: unknown): InputField[] => {
  const read = readFields(JSON.stringify(schema));
  return read.ok ? read.fields : [];
};
const one = (property: object): InputField => fieldsOf({ properties: { a: property } })[0]!;

describe('the fields of a schema', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'integer' }, 'integer'],
    [{ type: ['number', 'null'] }, 'number'],
    [{ type: 'boolean' }, 'boolean'],
    [{ enum: ['a', 1] }, 'choice'],
    [{ type: 'array' }, 'json'],
    [{ type: ['string', 'number'] }, 'json'],
    [{}, 'json'],
  ])('%j is of the kind %s', (property, kind) => expect(one(property).kind).toBe(kind));

  it('have descriptions, defaults and bounds, and tell which are required', () => {
    const [field] = fieldsOf({
      properties: { steps: { type: 'integer', description: 'How many', default: 30, minimum: 1, maximum: 50 } },
      required: ['steps'],
    });
    expect(field).toMatchObject({ description: 'How many', initial: '30', min: 1, max: 50, required: true });
  });

  it('may be those of the whole body', () => {
    const input = { type: 'object', properties: { a: { type: 'string' } } };
    expect(fieldsOf({ type: 'object', properties: { input } }).map(({ name }) => name)).toEqual(['a']);
  });

  it("may be rules of the public SDK's validator", () => {
    const rules = { prompt: { type: 'str', required: true }, steps: { type: 'int', required: false, default: 30 } };
    expect(fieldsOf(rules).map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['prompt', 'text', true],
      ['steps', 'integer', false],
    ]);
  });

  it.each(['', '{"a"', '[]', '{"a": {"kind": "x"}}', '{"properties": 3}'])('are not read from %j', (text) => {
    expect(readFields(text).ok).toBe(false);
  });

  it('of files are known by what the schema says, or by their names', () => {
    expect(one({ type: 'string', contentEncoding: 'base64' }).isFile).toBe(true);
    expect(fieldsOf({ properties: { image_base64: { type: 'string' } } })[0]?.isFile).toBe(true);
    expect(fieldsOf({ properties: { prompt: { type: 'string' } } })[0]?.isFile).toBe(false);
  });
});

describe('fields of inputs as they are', () => {
  const bodies = ['{"input": {"prompt": "a", "steps": 3, "tags": [1], "ok": true}}', '{"input": {"seed": 1}}', '{'];

  it('have the kinds of their values', () => {
    expect(inferFields(bodies).map(({ name, kind }) => [name, kind])).toEqual([
      ['prompt', 'text'],
      ['steps', 'number'],
      ['tags', 'json'],
      ['ok', 'boolean'],
      ['seed', 'number'],
    ]);
  });

  it('make a schema of the same fields', () => {
    const again = readFields(schemaOf(inferFields(bodies)));
    expect(again.ok && again.fields.map(({ kind }) => kind)).toEqual(['text', 'number', 'json', 'boolean', 'number']);
  });
});

describe('a value of a field', () => {
  const valueOf = (raw: string) => readInput(`{"input": {"a": ${raw}}}`)?.get('a');

  it('that does not fit its field is shown as JSON, so that nothing of it is lost', () => {
    expect(controlOf(one({ type: 'string' }), valueOf('"x"'))).toBe('text');
    expect(controlOf(one({ type: 'string' }), valueOf('[1]'))).toBe('json');
    expect(controlOf(one({ enum: ['a'] }), valueOf('"b"'))).toBe('json');
    expect(controlOf(one({ type: 'boolean' }), valueOf('null'))).toBe('json');
    expect(controlOf(one({ type: 'integer' }), undefined)).toBe('integer');
  });

  it.each([
    ['1.', false],
    ['', false],
    ['3.5', true],
    ['51', true],
    ['30', true],
  ])('%j as a number: %s', (typed, ok) => {
    expect(writtenOf('integer', typed).ok).toBe(ok);
  });

  it('keeps the digits of a number', () => {
    expect(writtenOf('number', '9007199254740993.10')).toEqual({
      ok: true,
      raw: '9007199254740993.10',
    });
  });

  it('that is a text is written as it is typed, and the rest of the body stays', () => {
    const body = '{\n  "input": {\n    "n": 9007199254740993,\n    "a": ""\n  }\n}';
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const written = writtenOf('text', typed);
        const next = writeMember(body, 'input', 'a', written.ok ? written.raw : null);
        expect(typedOf('text', readInput(next)?.get('a')?.raw ?? '')).toBe(typed);
        expect(next.startsWith('{\n  "input": {\n    "n": 9007199254740993,\n')).toBe(true);
      }),
    );
  });
});

describe('a member of the body', () => {
  it.each([
    ['{"input": {}}', 'a', '1', '{"input": { "a": 1 }}'],
    ['{}', 'a', '1', '{ "input": { "a": 1 } }'],
    ['{"input": {"a": 1, "b": 2}}', 'a', null, '{"input": {"b": 2}}'],
    ['{"input": {"a": 1}}', 'b', null, '{"input": {"a": 1}}'],
    ['{"input": {"a": 1}}', 'my "name"', '2', '{"input": {"a": 1, "my \\"name\\"": 2}}'],
    ['{"input": [}', 'a', '1', '{"input": [}'],
    ['{"input": 3}', 'a', '1', '{"input": 3}'],
  ])('%s with %s = %s is %s', (text, name, value, next) => expect(writeMember(text, 'input', name, value)).toBe(next));
});

it.each([
  [{}, undefined],
  [{ minimum: 0, maximum: 2 }, 'From 0 to 2.'],
  [{ minimum: 0.0005, maximum: 4294967295 }, 'From 0.0005 to 4\u202f294\u202f967\u202f295.'],
  [{ description: 'Seconds to wait', minimum: 1, default: 1.5 }, 'Seconds to wait. At least 1.'],
  [{ description: 'A style.', default: 'plain', maximum: 3 }, 'A style. At most 3.'],
  [{ description: 'A style' }, 'A style'],
])('the schema %j is described as %j', (property, words) => expect(descriptionOf(one(property))).toBe(words));

it.each([
  [{}, undefined],
  [{ default: null }, undefined],
  [{ type: 'integer', default: 20 }, 'Default: 20'],
  [{ type: 'string', default: 'plain' }, 'Default: plain'],
])('the empty field of the schema %j shows %j', (property, words) => expect(placeholderOf(one(property))).toBe(words));
