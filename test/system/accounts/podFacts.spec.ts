/** Failures beside the list of Pods, such as of what only GraphQL tells: they are said, and hide no Pod. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { podsNow } from '../../../main/app/bridge/pods.ts';
import { createPodWays } from '../../../main/app/terminals/routeFinder.ts';
import { startAccountApp, type AccountApp } from '../../support/accounts/accountApp.ts';
import { startRemote, type Fault, type Remote } from '../../support/remote/remote.ts';

let remote: Remote;
let app: AccountApp;
let accountId: string;
beforeEach(async () => {
  remote = await startRemote();
  app = startAccountApp();
  const account = await app.changes.add({ preset: 'addresses', name: 'Old', key: remote.key, addresses: remote.v1 });
  accountId = account.id;
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await remote.stop();
});

const failures: [string, Fault['as'], RegExp][] = [
  ['refuses the key', { status: 401, json: { errors: [{ message: 'no such key' }] } }, /no such key/],
  ['answers with an error', { status: 200, json: { data: null, errors: [{ message: 'not now' }] } }, /not now/],
  ['answers something else', { status: 200, json: { data: { other: 1 } } }, /not what the service description says/],
];
const now = () => podsNow(app.directory.compute(accountId), () => undefined);

describe('the list of Pods', () => {
  it.each(failures)('has them all, and why more is not known, where GraphQL %s', async (_, as, reason) => {
    remote.addPod({ name: 'trainer' });
    expect(await now()).toMatchObject({ rows: [{ facts: { runtime: {} } }], factsProblem: null });
    const end = remote.fault({ area: 'graphql', as });
    const { rows, factsProblem } = await now();
    expect(rows).toMatchObject([{ pod: { name: 'trainer' }, facts: null }]);
    expect(factsProblem).toMatch(reason);
    end();
    expect((await now()).factsProblem).toBeNull();
  });

  it('has nothing to say where the service has no GraphQL', async () => {
    remote.addPod({ name: 'trainer' });
    remote.fault({ area: 'graphql', as: { status: 404, json: {} } });
    expect(await now()).toMatchObject({ rows: [{ facts: null }], factsProblem: null });
  });
});

describe('a change of a Pod that is made only in part', () => {
  it('says that it was made where the Pod cannot be read again', async () => {
    const { id } = remote.addPod({ name: 'trainer' });
    const { pods } = app.directory.compute(accountId);
    remote.fault({ area: 'rest1', method: 'POST', times: 1, as: { status: 200, text: '' } });
    const end = remote.fault({ area: 'rest1', method: 'GET', as: { status: 500, json: { error: 'no answer now' } } });
    await expect(pods.act(id, 'stop')).rejects.toMatchObject({
      message: 'no answer now The Pod was asked to stop, but could not be read again.',
      details: { changed: true },
    });
    end();
    remote.fault({ area: 'rest1', method: 'POST', times: 1, as: { status: 200, text: 'stopped' } });
    expect(await pods.act(id, 'stop')).toMatchObject({ id });
  });

  it('says that a Pod was made that could not be locked', async () => {
    const addresses = { ...remote.v2, graphql: null };
    const work = await app.changes.add({ preset: 'runpod', name: 'Work', key: remote.key, addresses });
    const { pods } = app.directory.compute(work.id);
    const [type] = await pods.gpuTypes();
    remote.fault({ area: 'rest2', method: 'PATCH', as: { status: 500, json: { detail: 'no locks now' } } });
    const pod = { name: 'trainer', imageName: 'a:1', gpuTypeIds: [type?.id ?? ''], gpuCount: 1, locked: true };
    await expect(pods.create(pod)).rejects.toMatchObject({
      message: 'no locks now The Pod "trainer" was created, but it is not locked.',
      details: { changed: true },
    });
    expect((await pods.list()).map(({ name }) => name)).toEqual(['trainer']);
  });
});

describe('the way into a Pod', () => {
  it.each(failures)('is not missing where GraphQL %s: that is the reason', async (_, as, reason) => {
    const ways = createPodWays(app.directory);
    const { id } = remote.addPod({ name: 'trainer' });
    remote.fault({ area: 'graphql', as });
    await expect(ways.of(accountId, id)).rejects.toThrow(reason);
    await expect(ways.best(accountId, id)).rejects.toThrow(reason);
  });

  it('is the one that REST tells where GraphQL fails', async () => {
    const ways = createPodWays(app.directory);
    const { id } = remote.addPod({ name: 'trainer', ports: ['22/tcp'], ssh: { host: '192.0.2.7', port: 2222 } });
    remote.fault({ area: 'graphql', as: { status: 401, json: {} } });
    expect(await ways.best(accountId, id)).toMatchObject({ way: 'direct', to: { host: '192.0.2.7', port: 2222 } });
  });

  it('is missing where neither tells of one, with what to do', async () => {
    const { id } = remote.addPod({ name: 'trainer' });
    remote.fault({ area: 'graphql', as: { status: 404, json: {} } });
    expect((await createPodWays(app.directory).of(accountId, id)).problem).toMatch(/22\/tcp/);
  });
});
