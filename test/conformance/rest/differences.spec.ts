/**
 * The document of /v1 held against the published description of the real service: each difference has a reason, and is
 * printed with it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { differencesOf } from '../../support/openapi/differences.ts';
import { publishedRestV1 } from '../../support/openapi/restV1.ts';
import { accepted } from '../../support/resources/resources.ts';
import { reasons } from './differences.ts';

/** Whether a difference is one of those that a line of the table stands for. */
const fits = (line: string, difference: string): boolean =>
  new RegExp(`^${line.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(difference);

describe('the document of /v1', () => {
  let engine: TestEngine;
  let differences: string[];
  beforeAll(async () => {
    engine = await startEngine();
    const document = accepted(await engine.http.get('/v1/openapi.json')) as object;
    differences = differencesOf(publishedRestV1(), document, '/v1');
  });
  afterAll(() => engine.close());

  test('differs from the published description in nothing that has no reason', () => {
    const report = Object.entries(reasons).map(([reason, lines]) => {
      const those = differences.filter((difference) => lines.some((line) => fits(line, difference)));
      return [reason, ...those.map((difference) => `  ${difference}`)].join('\n');
    });
    console.info(report.join('\n'));
    const lines = Object.values(reasons).flat();
    expect(differences.filter((difference) => !lines.some((line) => fits(line, difference)))).toEqual([]);
  });

  test('has no reason for what is no difference any more', () => {
    const lines = Object.values(reasons).flat();
    expect(lines.filter((line) => !differences.some((difference) => fits(line, difference)))).toEqual([]);
  });

  test('has a reason of its own for each difference', () => {
    const reasonsOf = (difference: string): string[] =>
      Object.entries(reasons).flatMap(([reason, lines]) =>
        lines.some((line) => fits(line, difference)) ? [reason] : [],
      );
    expect(differences.filter((difference) => reasonsOf(difference).length > 1)).toEqual([]);
  });
});

describe('what is compared', () => {
  const published = {
    paths: {
      '/things': {
        get: {
          operationId: 'ListThings',
          parameters: [{ name: 'kind', in: 'query', schema: { type: 'string', enum: ['a', 'b'], default: 'a' } }],
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Things' } } } } },
        },
        post: {
          operationId: 'MakeThing',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Make' } } },
          },
          responses: { 201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
        },
      },
    },
    components: {
      schemas: {
        Things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
        Make: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', maxLength: 9 }, size: { type: 'integer', default: 5, nullable: true } },
        },
        Thing: {
          type: 'object',
          properties: {
            env: { type: 'object', items: { type: 'string' } },
            at: { type: 'string', format: 'date-time' },
            parts: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
          },
        },
      },
    },
  };
  /** The description with a part of its text as something else. */
  const withText = (from: string, to: string): object => {
    const text = JSON.stringify(published);
    expect(text).toContain(from);
    return JSON.parse(text.replaceAll(from, to)) as object;
  };
  const linesOf = (from: string, to: string): string[] => differencesOf(published, withText(from, to), '');

  test('says nothing of what is written in another way and means the same', () => {
    expect(differencesOf(published, published, '')).toEqual([]);
    expect(linesOf('"/things"', '"/v1/things"')).toHaveLength(4);
    expect(differencesOf(published, withText('"/things"', '"/v1/things"'), '/v1')).toEqual([]);
    expect(
      linesOf(
        '{"type":"integer","default":5,"nullable":true}',
        '{"anyOf":[{"type":"integer"},{"type":"null"}],"default":5}',
      ),
    ).toEqual([]);
    expect(
      linesOf(
        '{"type":"object","items":{"type":"string"}}',
        '{"type":"object","additionalProperties":{"type":"string"}}',
      ),
    ).toEqual([]);
    expect(
      linesOf(
        '{"$ref":"#/components/schemas/Things"}',
        '{"type":"array","items":{"$ref":"#/components/schemas/Thing"}}',
      ),
    ).toEqual([]);
    expect(linesOf('"enum":["a","b"]', '"enum":["b","a"]')).toEqual([]);
  });

  test.each([
    ['ListThings', 'Listed', 'GET /things id: published "ListThings", here "Listed"'],
    ['"name":"kind"', '"name":"sort"', 'GET /things query kind: not here', 'GET /things query sort: only here'],
    ['"enum":["a","b"]', '"enum":["a","c"]', 'GET /things query kind enum: not here ["b"], only here ["c"]'],
    ['"default":"a"', '"default":"b"', 'GET /things query kind default: published "a", here "b"'],
    [
      '"requestBody":{"required":true',
      '"requestBody":{"required":false',
      'POST /things body required: published true, here false',
    ],
    ['"201"', '"200"', 'POST /things answers not here: 201', 'POST /things answers only here: 200'],
    [
      '"required":["name"]',
      '"required":["size"]',
      'Make.name required: published true, here false',
      'Make.size required: published false, here true',
    ],
    ['"maxLength":9', '"maxLength":8', 'Make.name maxLength: published 9, here 8'],
    ['"type":"integer"', '"type":"number"', 'Make.size type: published ["integer","null"], here ["null","number"]'],
    ['"format":"date-time"', '"format":"date"', 'Thing.at format: published "date-time", here "date"'],
    ['"at":', '"when":', 'Thing.at: not here', 'Thing.when: only here'],
    [
      '"id":{"type":"string"}',
      '"id":{"type":"integer"}',
      'Thing.parts[].id type: published ["string"], here ["integer"]',
    ],
    [
      '"items":{"type":"string"}',
      '"items":{"type":"integer"}',
      'Thing.env{} type: published ["string"], here ["integer"]',
    ],
  ])('%s that is %s is told', (from, to, ...lines) => {
    expect(linesOf(from, to).sort()).toEqual(lines.sort());
  });
});
