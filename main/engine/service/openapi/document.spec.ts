/** The document follows from the descriptions of operations. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createDocument } from './document.ts';
import { named, type Operation } from './operation.ts';

const definition = { title: 'Title', version: '1', description: 'Words.', groups: {}, parameters: {} };
const operationWith = (id: string, schema: z.ZodType): Operation => ({
  id,
  group: 'things',
  summary: 'Reads a thing.',
  need: 'read',
  methods: ['get'],
  path: `/${id}`,
  answers: { 200: { words: 'A thing.', shape: named('Thing', schema) } },
});

test('two schemas of one name are refused', () => {
  const operations = [operationWith('a', z.string()), operationWith('b', z.int())];
  expect(() => createDocument(definition, operations)).toThrow('Two schemas have the name Thing');
});

test('a schema inside another one is a part of the document under its own name', () => {
  const part = z.object({ n: z.int() });
  const shape = named('Whole', z.object({ part }), { parts: [named('Part', part)], defaults: { part: { n: 1 } } });
  const operation = { ...operationWith('a', part), answers: { 200: { words: 'All.', shape } } };
  expect(JSON.parse(createDocument(definition, [operation]))).toMatchObject({
    components: {
      schemas: {
        Whole: { properties: { part: { $ref: '#/components/schemas/Part', default: { n: 1 } } } },
        Part: { properties: { n: { type: 'integer' } } },
      },
    },
  });
});
