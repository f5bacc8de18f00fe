/** A route is added only with a description; it states the key that the route needs. */
import { describe, expect, test } from 'vitest';
import Fastify from 'fastify';
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { operation, type Operation } from '../openapi/operation.ts';
import type { Api } from './api.ts';
import { guardRoutes } from './routeAccess.ts';

function createGuarded(): { api: Api; operations: Operation[] } {
  const operations: Operation[] = [];
  const api: Api = Fastify({ exposeHeadRoutes: false });
  const refuse = (): never => {
    throw new AppError('UNAUTHORIZED', 'No key.');
  };
  guardRoutes(api, refuse, (each) => operations.push(each));
  return { api, operations };
}

const answers = { 200: { words: 'The thing.', shape: null } };
const description = { id: 'get', group: 'things', summary: 'Reads a thing.', need: 'read', answers } as const;

describe('a route', () => {
  test('without a description is refused with its method and path', () => {
    const { api } = createGuarded();
    expect(() => api.get('/things', async () => 'a thing')).toThrow('The route get /things has no description');
  });

  test('is told with its path as the documents write it', async () => {
    const { api, operations } = createGuarded();
    api.get('/things/:id', operation(description), async () => 'a thing');
    await api.ready();
    expect(operations).toEqual([expect.objectContaining({ methods: ['get'], path: '/things/{id}', need: 'read' })]);
  });

  test('that needs a key asks for it before anything else', async () => {
    const { api } = createGuarded();
    api.get('/things', operation(description), async () => 'a thing');
    expect((await api.inject('/things')).body).not.toContain('a thing');
  });
});

describe('a description', () => {
  const querystring = z.object({ limit: z.string().optional() });

  test('describes each parameter that is checked', () => {
    expect(() => operation({ ...description, querystring })).toThrow('limit of get has no description');
  });

  test('describes no parameter that is not checked', () => {
    const query = { limit: 'How many.', after: 'From where.' };
    expect(() => operation({ ...description, querystring, query })).toThrow(
      'after of get is described but not checked',
    );
  });

  test('shows the schema that checks a parameter, or its own', () => {
    const { limit } = querystring.shape;
    const schemaOf = (query: Parameters<typeof operation>[0]['query']): unknown =>
      operation({ ...description, querystring, ...(query && { query }) }).config.operation.query?.['limit']?.schema;
    expect(schemaOf({ limit: 'How many.' })).toBe(limit);
    const own = z.int();
    expect(schemaOf({ limit: { schema: own, words: 'How many.' } })).toBe(own);
  });
});
