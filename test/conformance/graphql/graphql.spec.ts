/** The transport of /graphql: keys and scopes, what is refused and how, limits, and documents that mean no good. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { askGraphql, graphqlData } from '../../support/http/graphql.ts';
import { accepted } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine({ logLevel: 'debug' });
});
afterAll(() => engine.close());

const ME = '{ myself { id } }';
const WRITE = 'mutation { updateUserSettings(input: { pubKey: "" }) { id } }';

async function keyOfScope(scope: string): Promise<string> {
  const made = accepted(await engine.http.post('/local/v1/api-keys', { name: scope, scope })) as { key: string };
  return made.key;
}

describe('the key', () => {
  test('is taken from the address, or from the header with or without Bearer', async () => {
    expect((await askGraphql(engine, ME)).data).toEqual({ myself: { id: 'local' } });
    for (const authorization of [`Bearer ${engine.key}`, engine.key]) {
      const answer = await askGraphql(engine, ME, { key: null, authorization });
      expect(answer).toMatchObject({ status: 200, data: { myself: { id: 'local' } } });
    }
  });

  test('that is missing or wrong is a 401 with the code UNAUTHENTICATED, and with words', async () => {
    for (const key of [null, 'rpa_WRONG']) {
      const { status, errors } = await askGraphql(engine, ME, { key });
      expect([status, errors.map(({ code }) => code)]).toEqual([401, ['UNAUTHENTICATED']]);
      expect(errors[0]?.message).toMatch(/API key/);
    }
    expect((await askGraphql(engine, '{ serverlessGpuPools { id } }', { key: 'rpa_WRONG' })).status).toBe(401);
  });

  test('is not needed for catalogues and the schema, and for anything beside them it is', async () => {
    const open = await askGraphql(engine, '{ serverlessGpuPools { id } __schema { queryType { name } } }', {
      key: null,
    });
    expect(open).toMatchObject({ status: 200, errors: [], data: { __schema: { queryType: { name: 'Query' } } } });
    for (const query of [
      `query { serverlessGpuPools { id } ...mine } fragment mine on Query { myself { id } }`,
      `query { ... on Query { serverlessGpuPools: myself { id } } }`,
      WRITE,
    ]) {
      expect((await askGraphql(engine, query, { key: null })).status).toBe(401);
    }
  });

  test('of the scopes read and jobs is good for queries; mutations need the scope all, and 403 says so', async () => {
    for (const scope of ['read', 'jobs']) {
      const key = await keyOfScope(scope);
      expect((await askGraphql(engine, ME, { key })).status).toBe(200);
      const { status, errors } = await askGraphql(engine, WRITE, { key });
      expect([status, errors[0]?.code]).toEqual([403, 'FORBIDDEN']);
      expect(errors[0]?.message).toContain(scope);
    }
  });

  test('is weighed by the operation that runs, where a document has several', async () => {
    const key = await keyOfScope('read');
    const both = `query Look { ...me } mutation Change { updateUserSettings(input: {}) { id } } fragment me on Query { myself { id } }`;
    expect((await askGraphql(engine, both, { key, operationName: 'Look' })).status).toBe(200);
    expect((await askGraphql(engine, both, { key, operationName: 'Change' })).status).toBe(403);
    for (const operationName of [undefined, 'Nothing']) {
      const { status, errors } = await askGraphql(engine, both, { key, ...(operationName && { operationName }) });
      expect(status).toBe(400);
      expect(errors[0]?.message).toMatch(/"Look", "Change"/);
    }
  });

  test('in the address is in no answer and no log', async () => {
    const key = await keyOfScope('all');
    for (const query of [ME, '{ myself { id ', '{ nothing }', 'mutation { deleteEndpoint(id: "none") }']) {
      expect(JSON.stringify(await askGraphql(engine, query, { key }))).not.toContain(key);
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await engine.http.send(method, `/graphql?api_key=${key}`)).text).not.toContain(key);
    }
    expect((await engine.http.post(`/graphql?api_key=${key}`, '{')).text).not.toContain(key);
    expect(engine.stderr).not.toContain(key);
  });
});

describe('what is refused', () => {
  test('GET is a 405 that names POST', async () => {
    const answer = await engine.http.get(`/graphql?query={myself{id}}`);
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    expect(answer.json).toMatchObject({ errors: [{ message: expect.stringContaining('POST') as string }] });
  });

  test.each<[string, unknown]>([
    ['a list of operations', [{ query: ME }, { query: ME }]],
    ['no query', { variables: {} }],
    ['a query that is no text', { query: 5 }],
    ['variables that are a list', { query: ME, variables: [] }],
    ['text that is no JSON', '{"query":'],
    ['nothing', ''],
  ])('%s is a 400 with words in errors', async (_, body) => {
    const answer = await engine.http.post('/graphql', body as object);
    expect(answer.status, answer.text).toBe(400);
    const { errors } = answer.json as { errors: { message: string; extensions: { code: string } }[] };
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message.length).toBeGreaterThan(15);
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  test('a document that cannot be read, or does not fit the schema, is a 400 that says where', async () => {
    const unread = await askGraphql(engine, '{ myself { id ');
    expect([unread.status, unread.errors[0]?.code]).toEqual([400, 'GRAPHQL_PARSE_FAILED']);
    const unknown = await askGraphql(engine, '{ myself { id shoeSize } }');
    expect([unknown.status, unknown.errors[0]?.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    expect(unknown.errors[0]?.message).toContain('"shoeSize"');
    expect(unknown.data).toBeUndefined();
  });

  test('variables that do not fit are a 400; a field that fails is a 200 with its error, a code, and null', async () => {
    const query = 'mutation ($id: String!) { deleteEndpoint(id: $id) }';
    expect((await askGraphql(engine, query, { variables: { id: 5 } })).status).toBe(400);
    expect(await askGraphql(engine, query, { variables: { id: 'none' } })).toEqual({
      status: 200,
      data: { deleteEndpoint: null },
      errors: [{ message: 'There is no endpoint "none".', code: 'NOT_FOUND' }],
    });
  });

  const nested = (depth: number): string =>
    `${'{ a: __typename ... on Query '.repeat(depth)}{ b: __typename }${' }'.repeat(depth)}`;
  const repeated = (text: string, times: number): string => `{ ${text.repeat(times)} }`;

  test.each<[string, string, RegExp]>([
    [
      'too deep',
      `{ myself { endpoints { template { env { key } } } } ${'myself { '.repeat(13)} id ${'}'.repeat(13)} }`,
      /nested 12 deep/,
    ],
    ['a scalar over and over', repeated('a: __typename ', 900), /ask for each once/],
    ['too many fields', repeated('a: __typename ', 1001), /1000 fields/],
    ['one name with selections too often', repeated('myself { id } ', 51), /"myself" may be selected 50 times/],
    [
      'too costly',
      `{ myself { ${Array.from({ length: 6 }, (_, i) => `e${i}: endpoints { template { env { ${'key '.repeat(10)} } } }`).join(' ')} } }`,
      /cost 5000/,
    ],
    ['too many questions for the schema', repeated('__schema { queryType { name } } ', 6), /cost 5000/],
    [
      'too many fragments',
      `{ ...f0 } ${Array.from({ length: 41 }, (_, i) => `fragment f${i} on Query { __typename }`).join(' ')}`,
      /40 fragments/,
    ],
    ['too many tokens', repeated('a ', 20_001), /token/],
    ['inline fragments nested without end', nested(3000), /nested|token|follow/],
  ])('a document that is %s is a 400 that names the limit', async (_, query, words) => {
    const { status, errors } = await askGraphql(engine, query);
    expect(status).toBe(400);
    expect(errors[0]?.message).toMatch(words);
  });

  test('a query of too many bytes is a 413 that names the limit', async () => {
    const query = `{ myself { id } } #${' '.repeat(limits.graphql.queryBytes)}`;
    const { status, errors } = await askGraphql(engine, query);
    expect([status, errors[0]?.code]).toEqual([413, 'TOO_LARGE']);
    expect(errors[0]?.message).toContain(String(limits.graphql.queryBytes));
  });

  test('fragments that contain each other many times over are answered at once', async () => {
    const fragments = Array.from(
      { length: 39 },
      (_, i) => `fragment f${i} on User { a: endpoint(id: "x") { id } ...f${i + 1} ...f${i + 1} }`,
    );
    const query = `{ myself { ...f0 } } ${fragments.join(' ')} fragment f39 on User { id }`;
    expect((await askGraphql(engine, query)).status).toBeLessThan(500);
    const round = '{ myself { ...a } } fragment a on User { ...b } fragment b on User { ...a }';
    expect((await askGraphql(engine, round)).errors[0]?.message).toMatch(/Cannot spread fragment/);
  });
});

describe('the schema', () => {
  test('is told by introspection, as tools ask for it', async () => {
    const { getIntrospectionQuery, buildClientSchema } = await import('graphql');
    const data = await graphqlData(engine, getIntrospectionQuery());
    const schema = buildClientSchema(data as never);
    expect(Object.keys(schema.getMutationType()!.getFields())).toContain('saveEndpoint');
  });

  test('whatever is sent, the answer is never a failure of the engine', async () => {
    const word = fc.constantFrom(
      'query',
      'mutation',
      'subscription',
      'fragment',
      'on',
      'User',
      'Query',
      '{',
      '}',
      '(',
      ')',
      ':',
      '...',
      '@skip',
      'myself',
      'endpoints',
      'id',
      'input',
      '$a',
      '!',
      '[',
      ']',
      '"x"',
      '5',
      '1e400',
      'null',
      'true',
      'saveEndpoint',
      '__schema',
      '__type',
      'name',
      'types',
      '"""',
      '#',
      '\\u0000',
      'podTemplates',
      'isRunpod',
      '"\\ud800"',
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.array(word, { maxLength: 40 }), fc.array(fc.string())), async (words) => {
        const { status, text } = await engine.http.post('/graphql', { query: words.join(' ') });
        expect(status, text).toBeLessThan(500);
        expect(text).not.toContain('INTERNAL_SERVER_ERROR');
      }),
      { numRuns: 300 },
    );
  });
});
