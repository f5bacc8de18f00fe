import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiKeyCreated, ApiKeyScope } from '#contract/local/engine.ts';
import { createFakeClock, createFakeIds } from '../../../../test/support/core/fakes.ts';
import { createApiKeys, type ApiKeys, type Caller } from './apiKeys.ts';

const nothing = (): void => undefined;
let keys: ApiKeys;
let key: ApiKeyCreated;
/** Who the watched key belonged to after each change of it. */
let callers: (Caller | null)[];
let release: () => void;

const of = (scope: ApiKeyScope, ...endpointIds: string[]): Caller => ({
  kind: 'key',
  name: 'a key',
  scope,
  endpointIds,
});

beforeEach(() => {
  const store = { load: () => [], save: nothing, saveUse: nothing, delete: nothing, claimFirstStart: () => false };
  keys = createApiKeys(store, createFakeIds(), createFakeClock(), 'run-key');
  key = keys.create({ name: 'a key', scope: 'jobs' });
  callers = [];
  release = keys.watch(key.key, (caller) => callers.push(caller));
});

describe('whoever watches a key', () => {
  test.each<[string, () => unknown, Caller | null]>([
    ['is disabled', () => keys.update(key.id, { disabled: true }), null],
    ['is deleted', () => keys.delete(key.id), null],
    ['has another scope', () => keys.update(key.id, { scope: 'read' }), of('read')],
    ['has endpoints', () => keys.update(key.id, { scope: 'endpoints', endpointIds: ['e'] }), of('endpoints', 'e')],
  ])('is told when it %s', (_, change, caller) => {
    change();
    expect(callers).toEqual([caller]);
    expect(keys.check(key.key)).toEqual(caller);
  });

  test('is told when the key of a worker is taken back', () => {
    const lent = keys.issueWorkerKey('e', 'w');
    keys.watch(lent.key, (caller) => callers.push(caller));
    lent.revoke();
    expect(callers).toEqual([null]);
    expect(keys.check(lent.key)).toBeNull();
  });

  test('is told nothing of other keys, nor once the watch is over', () => {
    keys.delete(keys.create({ name: 'another', scope: 'all' }).id);
    release();
    keys.delete(key.id);
    expect(callers).toEqual([]);
  });
});

test('a key that is enabled again belongs to its caller again', () => {
  keys.update(key.id, { disabled: true });
  expect(keys.check(key.key)).toBeNull();
  keys.update(key.id, { disabled: false });
  expect(keys.check(key.key)).toEqual(of('jobs'));
});

test('a key that nobody knows is watched by nobody', () => {
  expect(keys.check('wrong')).toBeNull();
  expect(() => keys.watch('wrong', nothing)()).not.toThrow();
});
