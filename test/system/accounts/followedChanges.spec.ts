/**
 * The changes of another Hangar as the app hears them, also over a connection that breaks. A real engine tells them.
 */
import { expect, test } from 'vitest';
import type { StateChange } from '#contract/local/changes/stateChange.ts';
import { watchChanges } from '../../../main/app/bridge/machine/changes.ts';
import { systemClock } from '../../../main/app/platform/clock.ts';
import { startAccountApp } from '../../support/accounts/accountApp.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { startRelay } from '../../support/http/relay.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';

test('another Hangar tells the app what changes; after a break, that everything may have changed meanwhile', async () => {
  await using engine = await startEngine();
  await using relay = await startRelay(engine.address);
  await using app = startAccountApp();
  const { id: endpointId } = await makeIdleEndpoint(engine);
  const { id } = await app.changes.add({
    preset: 'engine',
    name: 'GPU box',
    key: engine.key,
    addresses: { jobs: relay.address, management: null, graphql: null },
  });
  const { machine, jobs } = app.directory.compute(id);
  const life = new AbortController();
  const follow = () => watchChanges(machine!, systemClock, life.signal);
  /** Those of endpoints, or of all. Others may come at any time, such as the free space of the disk. */
  const next = async (batches: ReturnType<typeof follow>): Promise<StateChange[]> => {
    for (;;) {
      const { value } = await batches.next();
      const wanted = value?.changes.filter(({ about }) => about === 'all' || about === 'endpoint');
      if (wanted?.length !== 0) return wanted ?? [];
    }
  };
  const end = async (batches: ReturnType<typeof follow>): Promise<void> => {
    while ((await batches.next()).done !== true);
  };
  const waiting = async (): Promise<number> => (await jobs.health(endpointId)).jobs.inQueue;

  const before = follow();
  expect(await next(before)).toMatchObject([
    { about: 'all', id: null, kinds: expect.arrayContaining(['endpoint', 'pod']) },
  ]);
  await jobsOf(engine, endpointId).run({});
  expect(await next(before)).toEqual([{ about: 'endpoint', id: endpointId }]);
  expect(await waiting()).toBe(1);

  await relay.cut();
  // What came before the break is told first.
  await expect(end(before)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(app.directory.get(id)).toMatchObject({ state: 'offline' });
  await jobsOf(engine, endpointId).run({});
  await relay.join();
  const after = follow();
  expect(await next(after)).toMatchObject([
    { about: 'all', id: null, kinds: expect.arrayContaining(['endpoint', 'pod']) },
  ]);
  expect(await waiting()).toBe(2);
  expect(app.directory.get(id)).toMatchObject({ state: 'ok' });
  life.abort();
  expect(await next(after)).toEqual([]);
});
