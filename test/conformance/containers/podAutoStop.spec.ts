/** The automatic stop of Pods on real containers: what is measured of them, and what stops them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { autoStopSchema, type AutoStop } from '#contract/api/autoStop.ts';
import { podEventSchema } from '#contract/local/podEvent.ts';
import { whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { skipFor } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startPodContainers } from '../../support/pods/podEngine.ts';
import { containersOf, podsOf, refused, WORKS, type PodsOf } from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';

const none = whyNoContainers();
const command = (script: string): string[] => ['/bin/sh', '-c', `trap 'exit 0' TERM; ${script}`];
const QUIET = command('sleep 1000 & wait');
const BUSY = command(WORKS);

describe('the automatic stop of a Pod', skipFor(none), () => {
  let containers: TestContainerEngine;
  let engine: ClockedEngine;
  let pods: PodsOf;
  beforeAll(async () => {
    containers = await startPodContainers();
    engine = await startClockedEngine({ env: { DOCKER_HOST: containers.host } });
    pods = podsOf(engine);
  });
  afterAll(async () => {
    await pods.deleteAll();
    await engine.close();
    await containers.closeEmpty();
  });

  const setRules = async (id: string, rules: object): Promise<AutoStop> =>
    autoStopSchema.parse(accepted(await engine.http.send('PATCH', `/local/v1/pods/${id}/auto-stop`, rules)));
  const stateOf = async (id: string) => (await pods.facts(id)).autoStop;
  const eventsOf = async (id: string) =>
    podEventSchema.array().parse(accepted(await engine.http.get(`/local/v1/pods/${id}/events`)));
  /** Lets one measurement after the other fall due, until the state of the Pod is so. */
  async function measured(id: string, is: (state: AutoStop) => boolean): Promise<void> {
    for (let state = await stateOf(id); state !== undefined && !is(state);) {
      const before = state.measuredAt;
      await engine.advance(10_000);
      state = await until(
        'the next measurement',
        () => stateOf(id),
        (next) => next?.stopped !== null || next.measuredAt !== before,
      );
    }
  }

  test('stops a Pod that does nothing, with the reason in its events, and not one that works', async () => {
    // One core: the load that counts as idle is a part of what the Pod may use.
    const one = { vcpuCount: 1 };
    const [quiet, works] = [
      await pods.make({ ...one, dockerStartCmd: QUIET }),
      await pods.make({ ...one, dockerStartCmd: BUSY }),
    ];
    for (const { id } of [quiet, works]) {
      await pods.running(id);
      expect((await setRules(id, { idleMinutes: 1 })).rules).toEqual({ idleMinutes: 1, spendUsd: null });
    }
    await measured(quiet.id, ({ idleSince }) => idleSince !== null);
    expect(await stateOf(quiet.id)).toMatchObject({ busyWith: null, next: { cause: 'idle' } });
    await measured(quiet.id, ({ stopped }) => stopped !== null);
    expect(await stateOf(quiet.id)).toMatchObject({ stopped: { cause: 'idle', reason: 'idle for 1 min' } });
    expect((await pods.get(quiet.id)).desiredStatus).toBe('EXITED');
    expect(await containersOf(containers, quiet.id)).toMatchObject([{ State: 'exited' }]);
    expect(await eventsOf(quiet.id)).toContainEqual(
      expect.objectContaining({ kind: 'stopped', by: 'engine', text: 'Stopped: idle for 1 min.' }),
    );
    // On a busy machine, its program may have had no time in one of the short spans that were measured.
    await measured(works.id, ({ busyWith, stopped }) => busyWith !== null || stopped !== null);
    expect((await pods.get(works.id)).desiredStatus).toBe('RUNNING');
    expect(await stateOf(works.id)).toMatchObject({
      idleSince: null,
      busyWith: expect.stringMatching(/^Its CPU is at \d+ %\.$/) as string,
    });
    await pods.act(works.id, 'stop');
    // A start begins anew.
    await pods.act(quiet.id, 'start');
    await pods.running(quiet.id);
    expect(await stateOf(quiet.id)).toMatchObject({ rules: { idleMinutes: 1 }, stopped: null });
  });

  test('is refused out of its range, and a spend cap where nothing has a price', async () => {
    const { id } = await pods.make({ dockerStartCmd: QUIET });
    const path = `/local/v1/pods/${id}/auto-stop`;
    expect((await refused(engine, 'PATCH', path, { idleMinutes: 0 })).message).toContain('idleMinutes');
    expect((await refused(engine, 'PATCH', path, { idle: 5 })).status).toBe(400);
    expect(await refused(engine, 'PATCH', path, { spendUsd: 5 })).toMatchObject({
      status: 400,
      message: expect.stringContaining('has no price') as string,
    });
  });

  test('at a spend cap warns at 80 percent and stops the Pod at the cap, while it works', async () => {
    accepted(await engine.http.send('PATCH', '/local/v1/settings', { machine: { prices: { cpuHour: 0.5 } } }));
    const { id } = await pods.make({ dockerStartCmd: BUSY, vcpuCount: 2 });
    await pods.running(id);
    await setRules(id, { spendUsd: 0.1 });
    // For seven of the ten cents.
    await engine.advance(250_000);
    await measured(id, ({ stopped }) => stopped !== null);
    const texts = (await eventsOf(id)).filter(({ kind }) => kind === 'warned' || kind === 'stopped').map((e) => e.text);
    expect(texts).toEqual([
      expect.stringMatching(/^It has cost \$0\.(08|09|10)\d{0,2}, [89]\d % of its spend cap of \$0\.10\.$/) as string,
      'Stopped: it has cost $0.10, which is its spend cap.',
    ]);
  });
});
