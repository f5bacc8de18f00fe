/**
 * When Hangar looks for updates, and that nothing is installed while work runs. What comes over the network:
 * test/desktop/updates.spec.ts.
 */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { UpdateChannel } from '#contract/bridge/updates.ts';
import { createFakeClock } from '../../../../test/support/core/fakeClock.ts';
import { until } from '../../../../test/support/core/until.ts';
import { installationOf } from './installation.ts';
import type { AvailableVersion, UpdateSource } from './source.ts';
import { createUpdates, type Updates } from './updates.ts';

const HOUR_MS = 60 * 60_000;
const facts = {
  platform: 'linux',
  isPackaged: true,
  feed: null,
  appImage: '/Hangar.AppImage',
  packageType: null,
  updateConfig: 'provider: github',
  unsigned: null,
} as const;

interface World {
  updates: Updates;
  clock: ReturnType<typeof createFakeClock>;
  /** What was done, in its order. */
  calls: string[];
  work: string[];
  /** What the next check answers. */
  answer: AvailableVersion | Error;
  /** Why an installation fails; null where it does not. */
  broken: Error | null;
  /** What a download waits for. */
  gate: Promise<void>;
}

function createWorld(packageType: string | null = null): World {
  const clock = createFakeClock();
  const calls: string[] = [];
  const newer: AvailableVersion = { version: '2.0.0', offer: 'newer', files: ['Hangar.AppImage', 'dir/hangar.deb'] };
  const world = { clock, calls, work: [] as string[], answer: newer as AvailableVersion | Error } as World;
  Object.assign(world, { broken: null, gate: Promise.resolve() });
  const source: UpdateSource = {
    check(channel) {
      calls.push(`check ${channel}`);
      return world.answer instanceof Error ? Promise.reject(world.answer) : Promise.resolve(world.answer);
    },
    async download() {
      calls.push('download');
      await world.gate;
    },
    cancel: () => calls.push('cancel'),
    install(relaunch) {
      calls.push(relaunch ? 'install and run' : 'install');
      return world.broken === null ? Promise.resolve() : Promise.reject(world.broken);
    },
  };
  world.updates = createUpdates({
    prepare: () => Promise.resolve({ installation: installationOf({ ...facts, packageType }), source }),
    current: '1.0.0',
    channel: 'stable',
    keepChannel: (channel: UpdateChannel) => Promise.resolve(void calls.push(`keep ${channel}`)),
    openWork: () => Promise.resolve(world.work),
    quit: () => calls.push('quit'),
    relaunch: () => calls.push('relaunch'),
    clock,
    logger: pino({ level: 'silent' }),
  });
  return world;
}

const state = ({ updates }: World) => updates.status.state;
async function readyWorld(): Promise<World> {
  const world = createWorld();
  await world.updates.start();
  await until(
    'the updates',
    () => state(world),
    (now) => now === 'ready',
  );
  world.calls.length = 0;
  return world;
}
const times = (world: World, call: string): number => world.calls.filter((one) => one === call).length;

test('a check is made at the start and every six hours, after a failure after half an hour', async () => {
  const world = createWorld();
  world.answer = { version: '1.0.0', offer: 'same', files: [] };
  await world.updates.start();
  world.clock.advance(6 * HOUR_MS - 1);
  expect(times(world, 'check stable')).toBe(1);
  world.answer = Object.assign(new Error('net::ERR_INTERNET_DISCONNECTED'), {});
  world.clock.advance(1);
  await until(
    'the updates',
    () => state(world),
    (now) => now === 'failed',
  );
  expect(world.updates.status.reason).toMatch(/^The connection to the update server failed/);
  world.clock.advance(HOUR_MS / 2);
  await until(
    'the updates',
    () => times(world, 'check stable'),
    (count) => count === 3,
  );
});

test('a version that is to be installed now waits for the work, looks again, and is installed once nothing runs', async () => {
  const world = await readyWorld();
  world.work = ['2 jobs', '1 terminal'];
  expect(await world.updates.choose('now')).toMatchObject({ state: 'waiting', work: ['2 jobs', '1 terminal'] });
  world.work = ['1 terminal'];
  world.clock.advance(5000);
  await until(
    'the updates',
    () => world.updates.status.work,
    (work) => work.length === 1,
  );
  expect(world.calls).toEqual([]);
  world.work = [];
  world.clock.advance(5000);
  await until(
    'the updates',
    () => world.calls,
    (calls) => calls.includes('quit'),
  );
  await world.updates.beforeQuit();
  await world.updates.install();
  expect(world.calls).toEqual(['quit', 'install and run']);
});

test('a person who no longer wants to wait is not interrupted later', async () => {
  const world = await readyWorld();
  world.work = ['1 job'];
  await world.updates.choose('now');
  expect(await world.updates.choose('later')).toMatchObject({ state: 'ready', plan: 'later', work: [] });
  world.work = [];
  world.clock.advance(HOUR_MS);
  await world.updates.beforeQuit();
  await world.updates.install();
  expect(world.calls).toEqual([]);
});

test('at the end a version is installed only where that was chosen and nothing runs', async () => {
  for (const [plan, work, calls] of [
    ['at-quit', [], ['install']],
    ['at-quit', ['1 job'], []],
    ['later', [], []],
  ] as const) {
    const world = await readyWorld();
    world.work = [...work];
    await world.updates.choose(plan);
    await world.updates.beforeQuit();
    await world.updates.install();
    expect(world.calls).toEqual(calls);
  }
});

test('work that cannot be asked about counts as work', async () => {
  const world = await readyWorld();
  Object.defineProperty(world, 'work', { get: () => Promise.reject(new Error('no answer')) });
  expect(await world.updates.choose('now')).toMatchObject({
    state: 'waiting',
    work: ['the engine, which does not answer'],
  });
});

test('an installation that fails starts the program again as it was, where it was to run', async () => {
  const world = await readyWorld();
  world.broken = Object.assign(new Error('read-only'), { code: 'EROFS' });
  await world.updates.choose('now');
  await world.updates.install();
  expect(world.calls).toEqual(['quit', 'install and run', 'relaunch']);
  expect(world.updates.status).toMatchObject({ state: 'failed' });
  expect(world.updates.status.reason).toMatch(/^Hangar has no permission to write to its installation folder/);
});

test('a choice is refused where no version is ready', async () => {
  await expect(createWorld().updates.choose('now')).rejects.toThrow('No update is ready');
});

test('another channel is kept, and what came of the former one is forgotten, also while it is fetched', async () => {
  const world = createWorld();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.gate = promise;
  await world.updates.start();
  expect(state(world)).toBe('downloading');
  world.answer = { version: '1.0.0', offer: 'same', files: [] };
  await world.updates.setChannel('beta');
  await until(
    'the updates',
    () => state(world),
    (now) => now === 'idle',
  );
  resolve();
  await world.updates.check();
  expect(world.calls).toEqual(['check stable', 'download', 'keep beta', 'cancel', 'check beta', 'check beta']);
  expect(world.updates.status).toMatchObject({ state: 'idle', channel: 'beta', version: null });
});

test('a package of the system is not fetched: the command of its manager is named', async () => {
  const world = createWorld('deb');
  await world.updates.start();
  expect(world.calls).toEqual(['check stable']);
  expect(world.updates.status).toMatchObject({
    state: 'available',
    version: '2.0.0',
    command: 'sudo apt-get install ./hangar.deb',
    manual: expect.stringContaining('apt installed this Hangar') as string,
  });
});
