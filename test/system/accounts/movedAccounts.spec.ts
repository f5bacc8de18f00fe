/** Accounts whose addresses are changed: tried with the kept key first, and what is being read of them goes on. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountDraft, TypedAddresses } from '#contract/app/accountDraft.ts';
import { startRelay, type Relay } from '../../support/http/relay.ts';
import { startAccountApp } from '../../support/accounts/accountApp.ts';
import { followJobs } from '../../support/accounts/followedJobs.ts';
import { startRemote, type Remote } from '../../support/remote/remote.ts';
import { until } from '../../support/core/until.ts';

let remote: Remote;
/** Another way to its job API, as a new host name is. */
let detour: Relay;
beforeEach(async () => {
  remote = await startRemote();
  detour = await startRelay(remote.v2.jobs);
});
afterEach(async () => {
  await detour.cut();
  await remote.stop();
});

const NOWHERE = 'http://127.0.0.1:9';
const addresses = (): TypedAddresses => ({
  jobs: `${remote.v2.jobs}/v2`,
  management: `${remote.v2.management}/v2`,
  graphql: null,
});
const draft = (): AccountDraft => ({ preset: 'addresses', name: 'Work', key: remote.key, addresses: addresses() });

describe('the addresses of an account', () => {
  it('change once its key works there, and it keeps its id and its name', async () => {
    await using app = startAccountApp();
    const before = await app.changes.add(draft());
    const { id } = before;
    const key = expect.objectContaining({ fingerprint: before.key?.fingerprint }) as object;
    const typed = { ...remote.v1, management: `${remote.v1.management}/v1` };
    expect(await app.changes.changeAddresses(id, typed, remote.key)).toMatchObject({
      id,
      key,
      name: 'Work',
      dialect: 'v1',
      addresses: remote.v1,
      address: remote.v1.jobs,
      state: 'ok',
      capabilities: expect.arrayContaining(['graphql']) as string[],
    });
    expect(before.capabilities).not.toContain('graphql');
    await app.restart();
    expect(app.directory.get(id)).toMatchObject({ dialect: 'v1', addresses: remote.v1, key });
    expect(await app.directory.compute(id).pods.list()).toEqual([]);
    // It speaks as before where the end of its address does not say otherwise.
    await expect(
      app.changes.changeAddresses(id, { ...typed, management: `${remote.v1.management}/` }, null),
    ).resolves.toMatchObject({ dialect: 'v1' });
  });

  it('stay where nobody answers, where its key is not taken, and where they cannot be right', async () => {
    await using app = startAccountApp();
    await using other = await startRemote();
    const before = await app.changes.add(draft());
    const { id } = before;
    const change = (jobs: string | null, management: string | null) =>
      app.changes.changeAddresses(id, { jobs, management, graphql: null }, remote.key);
    await expect(change(NOWHERE, NOWHERE)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(change(other.v2.jobs, other.v2.management)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(change(null, remote.v2.management)).rejects.toMatchObject({
      message: 'Jobs: an address is needed.',
      details: { field: 'jobs' },
    });
    await expect(change(remote.v2.jobs, 'http://example.com')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: { field: 'management' },
    });
    expect(app.directory.get(id)).toMatchObject({ addresses: before.addresses, dialect: 'v2', state: 'ok' });
    expect(await app.directory.compute(id).pods.list()).toEqual([]);
    await expect(app.changes.changeAddresses('this-machine', addresses(), null)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('of hosts that the kept key was not given for need the key typed, which is kept then; it is sent nowhere before', async () => {
    await using app = startAccountApp();
    await using other = await startRemote();
    const { id, key } = await app.changes.add(draft());
    const elsewhere = { jobs: `${other.v2.jobs}/v2`, management: `${other.v2.management}/v2`, graphql: null };
    await expect(app.changes.changeAddresses(id, elsewhere, null)).rejects.toThrow(
      /was not entered for 127\.0\.0\.1:\d+/,
    );
    expect(other.requests).toEqual([]);
    const moved = await app.changes.changeAddresses(id, elsewhere, other.key);
    expect(moved.key?.last4).toBe(other.key.slice(-4));
    expect(moved.key?.fingerprint).not.toBe(key?.fingerprint);
    expect(await app.directory.compute(id).pods.list()).toEqual([]);
    // The hosts that it is at now are those that its key was given for.
    const { jobs, management } = elsewhere;
    await app.changes.changeAddresses(id, { jobs: `${jobs}/`, management, graphql: null }, null);
  });

  it('may change while a job is read, which goes on at the new one and loses nothing', async () => {
    await using app = startAccountApp();
    const end = Promise.withResolvers<string>();
    const { id: endpointId } = remote.addEndpoint({ name: 'slow' }, async ({ chunk }) => {
      chunk('first');
      return await end.promise;
    });
    const { id } = await app.changes.add({ ...draft(), addresses: { ...addresses(), jobs: detour.address } });
    await using jobs = followJobs(app);
    const { entryId } = await jobs.sender.submit({
      entryId: randomUUID(),
      accountId: id,
      endpointId,
      endpointName: 'slow',
      mode: 'run',
      body: '{"input":{}}',
    });
    const entry = () => jobs.ledger.entry(entryId);
    await until('its first chunk is there', () => entry().chunkCount, 1);
    await app.changes.changeAddresses(id, addresses(), remote.key);
    // From here on there is nothing any more at the old address.
    await detour.cut();
    end.resolve('done');
    await until('it has ended', () => entry().status, 'COMPLETED');
    expect(jobs.ledger.output(entryId)).toBe('"done"');
    expect(jobs.ledger.chunks(entryId, 0, 10).map(({ text }) => text)).toEqual(['"first"']);
  });
});
