import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { GpuLoad, MachineGpu } from '#contract/local/machine.ts';
import { createFakeClock, silentLogger } from '../../../../test/support/core/fakes.ts';
import { until } from '../../../../test/support/core/until.ts';
import { createPausing } from '../../domain/pausing/pausing.ts';
import { createSettings } from '../../domain/settings.ts';
import { onBatteryOnLinux } from './battery.ts';
import { createPowerSource } from './powerSource.ts';
import { createMachineInspector, familyOf, othersUse, programNames } from './machineProbe.ts';
import { minuteOfDay } from './systemClock.ts';
import { needsPosix } from '../../../../test/support/core/skip.ts';

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'hangar-probe-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

const inspect = createMachineInspector({
  logger: silentLogger,
  gpus: () => [],
  onBattery: createPowerSource().onBattery,
  workers: () => [],
});

/** A real program with this name. `ours`: started by this process like a worker; otherwise it has no parent here. */
async function startProgram(name: string, ours: boolean): Promise<AsyncDisposable> {
  const program = path.join(await folder(), name);
  await symlink(process.execPath, program);
  // The program ends when its input ends.
  const code = 'process.stdin.resume()';
  const starter = ours
    ? spawn(program, ['-e', code], { stdio: ['pipe', 'ignore', 'ignore'] })
    : spawn('sh', ['-c', '"$0" -e "$1" <&3 3<&- &', program, code], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const input = starter.stdio[ours ? 0 : 3] as Writable;
  const gone = once(starter, 'exit');
  if (!ours) await gone;
  return {
    async [Symbol.asyncDispose]() {
      input.destroy();
      await gone;
    },
  };
}

const programs = async (): Promise<readonly string[]> =>
  (await inspect({ onBattery: false, programs: true, gpus: false })).programs ?? [];

test('the rule of programs holds while a real one of that name runs', needsPosix, async () => {
  await using program = await startProgram(`Hangar-Game-${process.pid}`, false);
  const settings = createSettings(
    { load: () => ({ machine: { rules: { programs: [`hangar-game-${process.pid}`] } } }), save: () => undefined },
    silentLogger,
  );
  const clock = createFakeClock();
  await until(
    'the program to be listed',
    () => programs(),
    (seen) => seen.includes(`Hangar-Game-${process.pid}`),
  );
  const pausing = await createPausing({
    clock,
    logger: silentLogger,
    settings,
    inspectMachine: inspect,
    minuteOfDay,
    store: { load: () => null, save: () => undefined },
    isBusy: () => false,
  });
  onTestFinished(() => pausing.stop());
  expect(pausing.state().message).toBe(`Paused because hangar-game-${process.pid} runs.`);
  await program[Symbol.asyncDispose]();
  await until('the rule to let go', async () => {
    clock.advance(5000);
    await new Promise((resolve) => setImmediate(resolve));
    return pausing.state().state === 'running';
  });
});

test('what this engine has started itself is none of the programs', needsPosix, async () => {
  await using _own = await startProgram(`hangar-own-${process.pid}`, true);
  await using _other = await startProgram(`hangar-other-${process.pid}`, false);
  await until(
    'the other program to be listed',
    () => programs(),
    (seen) => seen.includes(`hangar-other-${process.pid}`),
  );
  expect(await programs()).not.toContain(`hangar-own-${process.pid}`);
});

test('only what was asked for is looked at', async () => {
  expect(await inspect({ onBattery: false, programs: false, gpus: false })).toEqual({
    onBattery: null,
    programs: null,
    gpus: null,
  });
  const { onBattery } = await inspect({ onBattery: true, programs: false, gpus: false });
  expect([true, false, null]).toContain(onBattery);
});

test('a program goes by its name and by that of its file, with either slash', () => {
  const program = { pid: 7, parentPid: 1, name: 'game', command: 'Z:\\Games\\game.exe' };
  expect(programNames([program], new Set())).toEqual(['game', 'game.exe']);
  expect(programNames([{ ...program, command: '/opt/game/game-bin' }], new Set())).toEqual(['game', 'game-bin']);
  expect(programNames([program], new Set([7]))).toEqual([]);
});

test('a family is all that was started, however deep, and those that came before it are not', () => {
  const process = (pid: number, parentPid: number) => ({ pid, parentPid });
  const all = [process(1, 0), process(5, 1), process(9, 7), process(7, 5), process(8, 1), process(12, 9)];
  expect([...familyOf([5], all)].sort((a, b) => a - b)).toEqual([5, 7, 9, 12]);
});

describe('a machine is on its battery', () => {
  type Supplies = Record<string, Record<string, string>>;
  const mains = (online: string) => ({ type: 'Mains', online });
  const battery = (status: string) => ({ type: 'Battery', status });

  test.each<[boolean, string, Supplies]>([
    [true, 'while it is being used up', { ADP1: mains('0'), BAT0: battery('Discharging') }],
    [false, 'not while it is plugged in', { ACAD: mains('1'), BAT0: battery('Charging') }],
    [false, 'not with a full battery that is plugged in', { ADP1: mains('1'), BAT1: battery('Full') }],
    [
      false,
      'not while it is plugged in and the mains do not suffice',
      { AC: mains('1'), BAT0: battery('Discharging') },
    ],
    [false, 'not for the battery of its mouse', { mouse: { type: 'Battery', scope: 'Device', status: 'Discharging' } }],
    [false, 'not while power comes by USB', { 'ucsi-1': { type: 'USB', online: '1' }, BAT0: battery('Discharging') }],
    [false, 'not without any', {}],
  ])('%s: %s', async (on, _, supplies) => {
    const at = await folder();
    for (const [name, files] of Object.entries(supplies)) {
      await mkdir(path.join(at, name));
      for (const [file, text] of Object.entries(files)) await writeFile(path.join(at, name, file), `${text}\n`);
    }
    expect(await onBatteryOnLinux(at)).toBe(on);
  });

  test('false: not where the system knows no supplies at all', async () => {
    expect(await onBatteryOnLinux(path.join(await folder(), 'none'))).toBe(false);
  });
});

describe('what others use of a GPU', () => {
  const gpu = (load: Partial<GpuLoad> | null, heldBy: string[] = []): MachineGpu => ({
    uuid: 'GPU-1',
    index: 0,
    typeId: 'T',
    vendor: 'nvidia',
    memoryBytes: 8e9,
    driverVersion: null,
    enabled: true,
    shared: false,
    heldBy: heldBy.map((workerId) => ({ workerId, endpointId: 'e' })),
    load: load && {
      at: '',
      utilPercent: 60,
      memoryUsedBytes: 5e9,
      temperatureC: null,
      powerW: null,
      processes: [],
      ...load,
    },
  });
  const by = (pid: number, memoryBytes: number | null, name = `p${pid}`) => ({ pid, name, memoryBytes });
  const ours = new Set([10, 11]);
  const none = new Set<string>();

  test.each([
    ['all of it while none of ours is at it', gpu({ processes: [by(1, 3e9)] }), [60, 5e9, ['p1']]],
    ['all of it where no processes are told, and no worker has it', gpu({}), [60, 5e9, []]],
    [
      'their memory, but not their load, while ours is at it too',
      gpu({ processes: [by(10, 1e9), by(1, 2e9)] }, ['w']),
      [null, 2e9, ['p1']],
    ],
    ['nothing while only ours is at it', gpu({ processes: [by(10, 1e9), by(11, 1e9)] }, ['w']), [0, 0, []]],
    [
      'unknown memory where the system does not tell it',
      gpu({ processes: [by(10, null), by(1, null)] }, ['w']),
      [null, null, ['p1']],
    ],
    ['nobody knows where a worker has it and no processes are told', gpu({}, ['w']), [null, null, []]],
    ['nobody knows until it was measured', gpu(null), [null, null, []]],
  ])('%s', (_, sample, [utilPercent, memoryBytes, names]) => {
    expect(othersUse(sample, ours, none)).toEqual({ index: 0, utilPercent, memoryBytes, names });
  });

  test('nobody knows while a worker has it whose processes are not known', () => {
    expect(othersUse(gpu({ processes: [by(1, 1e9)] }, ['w']), ours, new Set(['w'])).utilPercent).toBeNull();
  });
});
