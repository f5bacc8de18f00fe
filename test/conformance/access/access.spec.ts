/**
 * The rights of keys: these tests call every route of the service and every field of GraphQL with every kind of key. A
 * key without the right gets the documented status and changes nothing. A key that may only read changes nothing and
 * gets no secrets. Open streams and sockets of a key end when the key ends.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MASK } from '#contract/core/secretPatterns.ts';
import { graphqlFields } from '../../support/access/graphql.ts';
import { makeOpenWorld, openCases, type OpenWorld } from '../../support/access/open.ts';
import { furtherRequests, routes, type Need, type RouteCase, type Values } from '../../support/access/routes.ts';
import { makeKey, makeWorld, startBusyWorker, type World } from '../../support/access/world.ts';
import { differences, type Advice } from '../../support/core/differences.ts';
import { until } from '../../support/core/until.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { raiseRates } from '../../support/engine/settings.ts';
import { servedRoutes } from '../../support/engine/served.ts';
import type { Answer } from '../../support/http/client.ts';
import { askGraphql } from '../../support/http/graphql.ts';
import { documentSchema, operationsOf } from '../../support/openapi/document.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { startReceiver, type Receiver } from '../../support/webhooks/receiver.ts';

/** Where a request is: on the paths of an endpoint, on those of its workers, or anywhere else. */
type Place = 'endpoint' | 'worker' | 'elsewhere';

interface Kind {
  /** Whether a key of this kind may use a route of this place that has this need. */
  may(need: Need, place: Place): boolean;
  /** The status with which it is refused. */
  refused: 401 | 403;
  /** Whether its answers contain secrets. */
  seesSecrets: boolean;
}

const good =
  (...needs: Need[]): Kind['may'] =>
  (need) =>
    needs.includes(need);
const refused401: Kind = { may: good('nothing'), refused: 401, seesSecrets: false };
const refused403: Kind = { may: good('nothing'), refused: 403, seesSecrets: false };
const reader: Kind = { ...refused403, may: good('nothing', 'optional', 'read') };
const full: Kind = { may: () => true, refused: 403, seesSecrets: true };

/** The kinds of keys. "The endpoint" and "the worker" are those that the requests are about. */
const kinds = {
  'no key': { ...refused401, may: good('nothing', 'optional') },
  'a wrong key': refused401,
  'a deleted key': refused401,
  'a disabled key': refused401,
  'the key of a worker that has ended': refused401,
  'a key that may read': reader,
  'a key that was made to read': reader,
  'a key that may send jobs': { ...reader, may: good('nothing', 'optional', 'read', 'jobs') },
  'a key of the endpoint': {
    ...refused403,
    may: (need, place) => need === 'nothing' || (place === 'endpoint' && ['read', 'jobs'].includes(need)),
  },
  'a key of another endpoint': refused403,
  'the key of the worker': { ...refused403, may: good('nothing', 'worker') },
  'the key of another worker': refused403,
  'a key with full scope': full,
  'the key of this run': full,
} satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;
const kindNames = Object.keys(kinds) as KindName[];

/** Names the kind of key where a check fails. */
function within(name: KindName, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new Error(`With ${name}: ${(error as Error).message}`, { cause: error });
  }
}

let engine: TestEngine;
let receiver: Receiver;
let world: World;
let openWorld: OpenWorld;
const keys = {} as Record<KindName, string | null>;

beforeAll(async () => {
  [engine, receiver] = await Promise.all([startEngine(), startReceiver()]);
  await raiseRates(engine);
  world = await makeWorld(engine, receiver);
  openWorld = await makeOpenWorld(engine);
  const at = '/local/v1/api-keys';
  const make = async (fields: object): Promise<string> => (await makeKey(engine, fields)).key;
  const [deleted, disabled, narrowed] = await Promise.all([1, 2, 3].map(() => makeKey(engine, {})));
  for (const { key } of [deleted!, disabled!, narrowed!]) accepted(await engine.http.get(at, { authorization: key }));
  await engine.http.send('DELETE', `${at}/${deleted!.id}`);
  accepted(await engine.http.send('PATCH', `${at}/${disabled!.id}`, { disabled: true }));
  accepted(await engine.http.send('PATCH', `${at}/${narrowed!.id}`, { scope: 'read' }));
  const another = await makeIdleEndpoint(engine);
  const [other, ended] = [await startBusyWorker(engine), await startBusyWorker(engine)];
  await engine.http.send('DELETE', `/v1/endpoints/${ended.endpointId}`);
  await until(
    'the worker to end',
    async () => accepted(await engine.http.get('/local/v1/workers')) as { id: string }[],
    (workers) => workers.every(({ id }) => id !== ended.workerId),
  );
  Object.assign(keys, {
    'no key': null,
    'a wrong key': 'rpa_WRONG',
    'a deleted key': deleted!.key,
    'a disabled key': disabled!.key,
    'the key of a worker that has ended': ended.key,
    'a key that may read': await make({ scope: 'read' }),
    'a key that was made to read': narrowed!.key,
    'a key that may send jobs': await make({ scope: 'jobs' }),
    'a key of the endpoint': await make({ scope: 'endpoints', endpointIds: [world.endpointId] }),
    'a key of another endpoint': await make({ scope: 'endpoints', endpointIds: [another.id] }),
    'the key of the worker': world.worker.key,
    'the key of another worker': other.key,
    'a key with full scope': await make({}),
    'the key of this run': engine.key,
  } satisfies Record<KindName, string | null>);
});
afterAll(async () => {
  await engine.close();
  await receiver.close();
});

/** A request that is asked with each kind of key. */
interface Case extends Omit<RouteCase, 'status' | 'body' | 'query'> {
  readonly place: Place;
  ask(authorization: string | null, values: Values): Promise<Answer>;
  /** Checks the answer to a caller who has the right. */
  check(answer: Answer): void;
  /** Checks the answer to a caller who does not have the right. */
  refused(answer: Answer, status: number): void;
}

const placeOf = (path: string): Place => {
  if (/^\/v2\/\{endpointId\}\/(job-|ping)/.test(path)) return 'worker';
  return /^\/(v2|lb)\/\{endpointId\}\//.test(path) ? 'endpoint' : 'elsewhere';
};

function ofRoute(request: string, route: RouteCase): Case {
  const [method = '', target = ''] = request.split(' ');
  const path = target.replace(/\?.*$/, '');
  return {
    ...route,
    place: placeOf(path),
    ask(authorization, values) {
      const query = route.query ? `?${route.query(values)}` : '';
      const url = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? '') + query;
      const body = typeof route.body === 'function' ? route.body(values) : route.body;
      return engine.http.send(method, url, body, { authorization });
    },
    check: ({ status, text }) => expect(status, text).toBe(route.status),
    refused({ status, text }, expected) {
      expect(status, text).toBe(expected);
      const body = path === '/graphql' ? { errors: [{ message: expect.any(String) }] } : { status: expected };
      expect(JSON.parse(text)).toMatchObject(body);
    },
  };
}

function ofField(operation: string): Case {
  const field = graphqlFields[operation]!;
  return {
    ...field,
    place: 'elsewhere',
    ask: (authorization, values) =>
      engine.http.post(
        '/graphql',
        { query: `${operation.replace(' ', ' { ')} ${field.asked(values)} }` },
        { authorization },
      ),
    check({ status, text }) {
      expect(status, text).toBe(200);
      expect(text).not.toMatch(/UNAUTHENTICATED|FORBIDDEN/);
      if (!field.changesNothing) expect(JSON.parse(text)).not.toHaveProperty('errors');
    },
    refused({ status, text }, expected) {
      expect(status, text).toBe(expected);
      const code = expected === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN';
      expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code } }] });
    },
  };
}

const cases: [request: string, row: Case][] = [
  ...Object.entries({ ...routes, ...furtherRequests }).map(([request, route]): [string, Case] => [
    request,
    ofRoute(request, route),
  ]),
  ...Object.keys(graphqlFields).map((operation): [string, Case] => [operation, ofField(operation)]),
];

/** Whether the request leaves everything as it is: what is only read, and not taken by that from others. */
const leavesAll = ({ need, consumes, changes, changesNothing }: Case, name: KindName): boolean =>
  changesNothing === true ||
  (changes !== true &&
    ['nothing', 'optional', 'read'].includes(need) &&
    !(consumes && kinds[name].may('jobs', 'endpoint')));

test('the table has every route that is served, and every field of GraphQL, and nothing else', async () => {
  const documents = await Promise.all(
    ['/v1/openapi.json', '/v2/openapi.json', '/rest/v2/openapi.json', '/local/v1/openapi.json'].map(async (at) =>
      operationsOf(documentSchema.parse(accepted(await engine.http.get(at)))),
    ),
  );
  const documented = documents.flat().map(({ method, path }) => `${method} ${path}`);
  const advice: Advice = {
    missing: (one) =>
      `test/support/access/routes.ts: add a row '${one}' with what its key must be good for (\`need\`) and a request that does it.`,
    extra: (one) => `test/support/access/routes.ts: remove the row of "${one}": there is no such route.`,
  };
  expect(differences(Object.keys(routes), documented, advice)).toEqual([]);
  const toOperation = (request: string): string => request.replace(/( \/v2\/\{endpointId\}\/[^/]+).*/, '$1');
  const served = (await servedRoutes()).map(({ method, path }) => `${method} ${path}`);
  expect(differences(Object.keys(routes).map(toOperation), served, advice)).toEqual([]);

  const { data } = await askGraphql(
    engine,
    '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
  );
  const { __schema } = data as { __schema: Record<'queryType' | 'mutationType', { fields: { name: string }[] }> };
  const fields = (['query', 'mutation'] as const).flatMap((kind) =>
    __schema[`${kind}Type`].fields.map(({ name }) => `${kind} ${name}`),
  );
  const fieldAdvice: Advice = {
    missing: (one) =>
      `test/support/access/graphql.ts: add a row '${one}' with what its key must be good for (\`need\`).`,
    extra: (one) => `test/support/access/graphql.ts: remove the row of "${one}": the schema has no such field.`,
  };
  expect(differences(Object.keys(graphqlFields), fields, fieldAdvice)).toEqual([]);
});

/** The state as it was last read, unless something may have changed it since: to read it is most of these tests' work. */
let lastRead: Awaited<ReturnType<World['state']>> | null = null;
const mayChange = (): void => void (lastRead = null);
const stateNow = async () => (lastRead ??= await world.state());

describe.each(cases)('%s', (_, row) => {
  const may = (name: KindName): boolean => kinds[name].may(row.need, row.place);
  const refused = kindNames.filter((name) => !may(name));
  const readers = kindNames.filter((name) => may(name) && leavesAll(row, name));
  const changers = kindNames.filter((name) => may(name) && !leavesAll(row, name));
  async function make(): Promise<Values> {
    const values = row.make?.(world) ?? {};
    // Others only name what is there.
    if (values instanceof Promise) mayChange();
    return values;
  }
  // Also what was only made for a request, such as a pause.
  async function undo(): Promise<void> {
    if (row.undo === undefined) return;
    mayChange();
    await row.undo(world);
  }
  afterEach(undo);

  async function expectAnswered(name: KindName, values: Values): Promise<void> {
    const answer = await row.ask(keys[name], values);
    within(name, () => row.check(answer));
    if (row.tellsSecrets) {
      expect(answer.text.includes(world.secret), name).toBe(kinds[name].seesSecrets);
      expect(answer.text.includes(MASK), name).toBe(!kinds[name].seesSecrets || row.masksForAll === true);
    } else expect(answer.text, name).not.toContain(world.secret);
  }

  test('answers those who may and refuses the others; only those who may change something change it; only those who may do everything are told secrets', async () => {
    const values = await make();
    const before = await stateNow();
    mayChange();
    for (const name of refused) {
      const answer = await row.ask(keys[name], values);
      within(name, () => row.refused(answer, kinds[name].refused));
      expect(answer.text, name).not.toContain(world.secret);
    }
    for (const name of readers) await expectAnswered(name, values);
    expect(await stateNow(), `after ${[...refused, ...readers].join(', ')}`).toEqual(before);

    // What others were refused, and what they could only read, is changed by who may.
    for (const [at, name] of changers.entries()) {
      if (at > 0) await undo();
      const changed = at === 0 ? values : await make();
      const unchanged = await stateNow();
      mayChange();
      await expectAnswered(name, changed);
      expect(await stateNow(), name).not.toEqual(unchanged);
    }
  });
});

const change = async (id: string, fields: object): Promise<unknown> =>
  accepted(await engine.http.send('PATCH', `/local/v1/api-keys/${id}`, fields));

/** How a key ends, and how those are answered who had it. */
const ways: Record<string, { end(id: string): Promise<unknown>; status: number }> = {
  deleted: { end: (id) => engine.http.send('DELETE', `/local/v1/api-keys/${id}`), status: 401 },
  disabled: { end: (id) => change(id, { disabled: true }), status: 401 },
  'given less': { end: (id) => change(id, { scope: 'endpoints', endpointIds: ['another'] }), status: 403 },
};

describe.each(Object.entries(openCases))('under a key, %s', (_, { scope, begun, open, after }) => {
  test.each(Object.entries(ways))('ends once its key is %s, and not before', async (_way, { end, status }) => {
    const { id, key } = await makeKey(engine, { scope });
    const opened = await open(openWorld, key);
    try {
      await change(id, { name: 'renamed' });
      // Another one's end is nobody else's.
      await engine.http.send('DELETE', `/local/v1/api-keys/${(await makeKey(engine, { scope })).id}`);
      expect(opened.end()).toBeNull();
      await end(id);
      const ended = await until('its end', opened.end, (seen) => seen !== null);
      expect(ended).toBe(begun ? 'cut' : status);
      await after?.(openWorld, opened);
    } finally {
      opened.close();
    }
  });
});

test('a key that ends itself is answered', async () => {
  const { id, key } = await makeKey(engine, {});
  const at = `/local/v1/api-keys/${id}`;
  const renamed = await engine.http.send('PATCH', at, { name: 'mine' }, { authorization: key });
  expect(renamed.json).toMatchObject({ id, name: 'mine' });
  expect((await engine.http.send('DELETE', at, undefined, { authorization: key })).status).toBe(204);
});
