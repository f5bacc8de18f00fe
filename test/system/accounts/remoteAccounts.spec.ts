/**
 * Accounts of the remote service, in both dialects, against the faithful fake of it: what they can do, and how they are
 * doing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountDraft } from '#contract/app/accountDraft.ts';
import { createMemoryStore } from '../../../main/app/secrets/memory.ts';
import { startAccountApp } from '../../support/accounts/accountApp.ts';
import { startRemote, type Remote } from '../../support/remote/remote.ts';
import { until } from '../../support/core/until.ts';

let remote: Remote;
beforeEach(async () => (remote = await startRemote()));
afterEach(() => remote.stop());

const cloud = (name: string, key = remote.key): AccountDraft => ({
  preset: 'runpod',
  name,
  key,
  addresses: {
    jobs: `${remote.v2.jobs}/v2`,
    management: `${remote.v2.management}/v2/`,
    graphql: null,
  },
});
const described = (name: string, key = remote.key): AccountDraft => ({
  preset: 'addresses',
  name,
  key,
  addresses: { ...remote.v1, management: `${remote.v1.management}/v1`, graphql: `${remote.v1.graphql}/graphql` },
});

describe('an account of the service', () => {
  it('that speaks REST v2 can do what its probe finds, which changes nothing there', async () => {
    await using app = startAccountApp();
    remote.addEndpoint({ name: 'echo' });
    const { state, capabilities, lacks } = await app.changes.probe(cloud('Work'));
    expect({ state, capabilities }).toEqual({
      state: 'ok',
      capabilities: ['jobs', 'management', 'billing', 'logs', 'workers', 'pods'],
    });
    expect(lacks.map(({ capability }) => capability)).toEqual(['graphql', 'terminals', 'local']);
    for (const { reason } of lacks) expect(reason).toMatch(/^\S.*\.$/);
    expect(remote.requests.length).toBeGreaterThan(5);
    expect(remote.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('that speaks REST v1 has GraphQL beside it, and only reads there', async () => {
    await using app = startAccountApp();
    const account = await app.changes.add(described('Old'));
    expect(account).toMatchObject({ kind: 'cloud', dialect: 'v1', state: 'ok' });
    expect(account.capabilities).toEqual(['jobs', 'management', 'graphql', 'billing', 'pods']);
    const posted = remote.requests.filter(({ method }) => method !== 'GET');
    expect(posted.map(({ area, text }) => [area, /mutation/.test(text)])).toEqual([['graphql', false]]);
    remote.retireV1();
    // What it can do no longer is found by a test, and said with what the service says.
    const tested = await app.changes.test(account.id);
    expect(tested.capabilities).toEqual(['jobs', 'graphql']);
    expect(tested.lacks).toContainEqual({ capability: 'pods', reason: expect.stringContaining('retired') });
  });

  it('with a key for jobs alone is kept for jobs; one whose key is off is not added', async () => {
    await using app = startAccountApp();
    const account = await app.changes.add(cloud('Jobs', remote.setKey('jobs')));
    expect(account).toMatchObject({ state: 'ok', capabilities: ['jobs'] });
    const requestCount = remote.requests.length;
    await expect(app.changes.add(cloud('Off', remote.setKey('off')))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    // A key that is not taken is not tried everywhere.
    expect(remote.requests.length - requestCount).toBeLessThanOrEqual(3);
  });

  it('is slowed down, offline, back and refused as its last requests showed, and looked at anew when it is back', async () => {
    await using app = startAccountApp();
    const { id } = await app.changes.add(cloud('Work'));
    const { pods } = app.directory.compute(id);
    const shown = () => app.directory.get(id);
    const calm = remote.fault({ as: { status: 429, json: { detail: 'slower' }, headers: { 'retry-after': '30' } } });
    const askedAt = Date.now();
    await expect(pods.list()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(shown()).toMatchObject({ state: 'slowed', reason: expect.stringContaining('slower') });
    expect(shown().nextTryAt).toBeGreaterThanOrEqual(askedAt + 30_000);
    calm();
    await remote.goOffline();
    await expect(pods.list()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(shown()).toMatchObject({ state: 'offline', reason: expect.stringContaining('Work') });
    app.putForward(3_600_000);
    const { probedAt } = shown();
    await remote.goOnline();
    await pods.list();
    expect(shown()).toMatchObject({ state: 'ok', reason: null });
    await until(
      'it was looked at anew',
      () => shown().probedAt ?? 0,
      (time) => time > probedAt!,
    );
    remote.setKey('off', remote.key);
    await expect(pods.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(shown()).toMatchObject({ state: 'refused' });
    const next = remote.setKey('all');
    expect(await app.changes.replaceKey(id, next)).toMatchObject({ state: 'ok' });
    expect(await pods.list()).toEqual([]);
  });

  it('costs no look at its key until it is used', async () => {
    const secrets = createMemoryStore();
    const looks: string[] = [];
    const watched = {
      ...secrets,
      kind: 'keychain',
      get: (name: string) => {
        looks.push(name);
        return secrets.get(name);
      },
    } as const;
    await using app = startAccountApp(watched);
    const [one, other] = [await app.changes.add(cloud('One')), await app.changes.add(cloud('Other'))];
    await app.restart();
    expect(app.directory.list()).toHaveLength(3);
    expect(looks).toEqual([]);
    await app.directory.compute(one.id).pods.list();
    await app.directory.compute(one.id).management.endpoints();
    expect(looks).toEqual([`account/${one.id}`]);
    expect(app.directory.get(other.id).state).toBe('unknown');
  });

  it('that was offline is back without anybody asking, and says until then when it looks again', async () => {
    const secrets = createMemoryStore();
    const looks: string[] = [];
    await using app = startAccountApp({
      ...secrets,
      kind: 'keychain',
      get: (name) => {
        looks.push(name);
        return secrets.get(name);
      },
    });
    const { id } = await app.changes.add(cloud('Work'));
    const other = await app.changes.add(cloud('Other'));
    const shown = () => app.directory.get(id);
    await remote.goOffline();
    await expect(app.directory.compute(id).pods.list()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(shown()).toMatchObject({ state: 'offline', nextTryAt: expect.any(Number) as number });
    // Nor does a click that finds it offline forget when it is looked at next.
    await app.changes.test(id);
    expect(shown()).toMatchObject({ state: 'offline', nextTryAt: expect.any(Number) as number });
    await remote.goOnline();
    await until('it is back', () => shown().state, 'ok');
    expect(shown().nextTryAt).toBeNull();
    const faulty = remote.fault({ as: { status: 503, json: { detail: 'down for maintenance' } } });
    await expect(app.directory.compute(id).pods.list()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await until('it is known to be down', () => shown().state, 'offline');
    expect(shown().reason).toContain('down for maintenance');
    faulty();
    await until('it is back', () => shown().state, 'ok');
    expect(looks).not.toContain(`account/${other.id}`);
  });

  it('has its key in no file and in no error, whatever the service says of it', async () => {
    await using app = startAccountApp();
    const { id } = await app.changes.add(cloud('Work'));
    remote.fault({ as: { status: 400, json: { detail: `what is ${remote.key}?` } } });
    const failed: unknown = await app.directory
      .compute(id)
      .pods.list()
      .catch((thrown: unknown) => thrown);
    expect(failed).toMatchObject({ message: 'what is •••?' });
    expect(JSON.stringify(app.directory.list())).not.toContain(remote.key);
    for (const name of readdirSync(app.dataDir)) {
      expect(readFileSync(join(app.dataDir, name), 'utf8')).not.toContain(remote.key);
    }
  });
});
