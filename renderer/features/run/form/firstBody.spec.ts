import { expect, it } from 'vitest';
import { firstBody } from './firstBody.ts';

const inputOf = (schema: unknown): unknown => {
  const body = firstBody(JSON.stringify(schema), null);
  return body === null ? null : (JSON.parse(body) as unknown);
};

it('begins with the examples and defaults of a schema, and with a blank for what is required', () => {
  const properties = {
    prompt: { type: 'string' },
    style: { enum: ['oil', 'ink'] },
    steps: { type: 'integer', minimum: 4 },
    seed: { type: 'integer', default: 1, examples: [7] },
    scale: { type: 'number', default: 7.5 },
    negative: { type: 'string' },
    sizes: { type: 'array' },
  };
  expect(inputOf({ type: 'object', properties, required: ['prompt', 'style', 'steps', 'sizes'] })).toEqual({
    input: { prompt: '', style: 'oil', steps: 4, seed: 7, scale: 7.5 },
  });
});

it('reads the rules of the public SDK, too', () => {
  const rules = { prompt: { type: 'str', required: true }, steps: { type: 'int', required: false, default: 20 } };
  expect(inputOf(rules)).toEqual({ input: { prompt: '', steps: 20 } });
});

it.each([
  ['nothing is required and nothing has a default', { properties: { prompt: { type: 'string' } } }],
  ['it is no schema', { properties: [] }],
])('is null where %s', (_what, schema) => expect(inputOf(schema)).toBeNull());

it.each([
  ['has what the schema requires', '{"input": {"prompt": "a cat"}}', '{"input": {"prompt": "a cat"}}'],
  ['is of another handler', '{"input": {"name": "world"}}', '{\n  "input": {\n    "prompt": ""\n  }\n}'],
])('begins with the sample of the endpoint only where it %s', (_what, sample, body) => {
  const schema = JSON.stringify({ properties: { prompt: { type: 'string' } }, required: ['prompt'] });
  expect(firstBody(schema, sample)).toBe(body);
  expect(firstBody(null, sample)).toBe(sample);
});
