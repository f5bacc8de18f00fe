import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../../test/support/core/fakes.ts';
import {
  HOUR,
  machine,
  MINUTE,
  pass,
  pausingOn,
  running,
  turnsDone,
  pauseMessage,
  use,
} from '../../../../test/support/pausing/fakeMachine.ts';

describe('the rule of the battery', () => {
  test('holds while the machine runs on its battery, and lets go ten seconds after it is plugged in', async () => {
    const on = machine();
    const { pausing } = await pausingOn(on, { rules: { battery: true } });
    on.facts.onBattery = true;
    await pass(on, 5000);
    expect(pauseMessage(pausing)).toBe('Paused because this computer runs on its battery.');
    on.facts.onBattery = false;
    await pass(on, 5000);
    expect(pausing.state().state).toBe('paused');
    await pass(on, 10_000);
    expect(pausing.state().state).toBe('running');
  });

  test('does not hold where nobody can tell', async () => {
    const on = machine({ facts: { onBattery: null, programs: [], gpus: [] } });
    expect((await pausingOn(on, { rules: { battery: true } })).pausing.state().state).toBe('running');
  });
});

describe('the rule of programs', () => {
  test('holds while a named program runs, whatever its case, and names those that do', async () => {
    const on = machine({ facts: { onBattery: null, programs: ['init', 'Game.EXE'], gpus: [] } });
    const { pausing } = await pausingOn(on, { rules: { programs: ['game.exe', 'obs', 'blender'] } });
    expect(pausing.state()).toMatchObject({ state: 'paused', source: 'programs' });
    expect(pauseMessage(pausing)).toBe('Paused because game.exe runs.');
    on.facts.programs = ['obs', 'blender', 'game.exe'];
    await pass(on, 5000);
    expect(pauseMessage(pausing)).toBe('Paused because game.exe, obs and blender run.');
  });

  test('does not let go while a program only starts itself anew', async () => {
    const on = machine({ facts: { onBattery: null, programs: ['game'], gpus: [] } });
    const { pausing } = await pausingOn(on, { rules: { programs: ['game'] } });
    const seen: string[] = [];
    pausing.onChange(({ state }) => seen.push(state));
    on.facts.programs = [];
    await pass(on, 5000);
    on.facts.programs = ['game'];
    await pass(on, 15_000);
    on.facts.programs = [];
    await pass(on, 20_000);
    expect(seen).toEqual(['running']);
  });

  test('lets go at once when it is switched off', async () => {
    const on = machine({ facts: { onBattery: null, programs: ['game'], gpus: [] } });
    const { pausing, rules } = await pausingOn(on, { rules: { programs: ['game'] } });
    rules({ programs: [] });
    await turnsDone();
    expect(pausing.state()).toEqual(running);
    expect(on.clock.pending()).toBe(0);
  });
});

describe('the rules of what others use of a GPU', () => {
  test('hold while others use more of one than was said, once that has lasted ten seconds', async () => {
    const on = machine();
    const { pausing } = await pausingOn(on, { rules: { othersGpuPercent: 30 } });
    on.facts.gpus = [use({ utilPercent: 30 }), use({ index: 1, utilPercent: 45.4, names: ['game', 'browser'] })];
    await pass(on, 10_000);
    expect(pausing.state().state).toBe('running');
    await pass(on, 5000);
    expect(pausing.state()).toMatchObject({ state: 'paused', source: 'gpu-load' });
    expect(pauseMessage(pausing)).toBe(
      'Paused because other programs use 45 % of a GPU, more than 30 % (game, browser on GPU 1).',
    );
  });

  test('a load that comes and goes neither pauses nor resumes', async () => {
    const on = machine();
    const { pausing } = await pausingOn(on, { rules: { othersGpuPercent: 30 } });
    const seen: string[] = [];
    pausing.onChange(({ state }) => seen.push(state));
    for (let turn = 0; turn < 10; turn++) {
      on.facts.gpus = [use({ utilPercent: turn % 2 === 0 ? 90 : 5 })];
      await pass(on, 5000);
    }
    expect(seen).toEqual([]);
    on.facts.gpus = [use({ utilPercent: 90 })];
    await pass(on, 15_000);
    for (let turn = 0; turn < 10; turn++) {
      on.facts.gpus = [use({ utilPercent: turn % 2 === 0 ? 5 : 90 })];
      await pass(on, 5000);
    }
    expect(seen).toEqual(['paused']);
    on.facts.gpus = [use({ utilPercent: 5 })];
    await pass(on, 40_000);
    expect(seen).toEqual(['paused', 'running']);
  });

  test('hold while others have more of its memory than was said, and keep the words that made them hold', async () => {
    const on = machine({ facts: { onBattery: null, programs: null, gpus: [use({ memoryBytes: 4.24e9 })] } });
    const { pausing } = await pausingOn(on, { rules: { othersGpuMemoryGb: 4 } });
    expect(pausing.state()).toMatchObject({ state: 'paused', source: 'gpu-memory' });
    const words = "Paused because other programs have 4.2 GB of a GPU's memory, more than 4 GB (GPU 0).";
    expect(pauseMessage(pausing)).toBe(words);
    on.facts.gpus = [use({ memoryBytes: 6e9 })];
    await pass(on, 5000);
    expect(pauseMessage(pausing)).toBe(words);
    on.facts.gpus = [use({ memoryBytes: 4e9 })];
    await pass(on, 20_000);
    expect(pausing.state().state).toBe('running');
  });

  test('do not hold while nobody can tell what is ours', async () => {
    const on = machine({
      facts: { onBattery: null, programs: null, gpus: [use({ utilPercent: null, memoryBytes: null })] },
    });
    const { pausing } = await pausingOn(on, { rules: { othersGpuPercent: 1, othersGpuMemoryGb: 0.1 } });
    await pass(on, MINUTE);
    expect(pausing.state().state).toBe('running');
  });
});

describe('quiet hours', () => {
  const night = { rules: { quietHours: { from: '22:00', to: '07:00' } } };

  test('hold from the one time to the other, over midnight, and tell when they end', async () => {
    const on = machine({ clock: createFakeClock(Date.UTC(2026, 0, 15, 21, 58, 30)) });
    const { pausing } = await pausingOn(on, night);
    await pass(on, MINUTE);
    expect(pausing.state().state).toBe('running');
    await pass(on, 30_000);
    expect(pausing.state()).toMatchObject({ source: 'quiet-hours', until: '2026-01-16T07:00:00.000Z' });
    expect(pauseMessage(pausing)).toBe('Paused because these are quiet hours, 22:00 to 07:00.');
    await pass(on, 9 * HOUR - 1);
    expect(pausing.state().state).toBe('paused');
    await pass(on, 1);
    expect(pausing.state().state).toBe('running');
  });

  test('hold within one day as well', async () => {
    const on = machine({ clock: createFakeClock(Date.UTC(2026, 0, 15, 12, 59)) });
    const { pausing } = await pausingOn(on, { rules: { quietHours: { from: '09:00', to: '13:00' } } });
    expect(pausing.state()).toMatchObject({ source: 'quiet-hours', until: '2026-01-15T13:00:00.000Z' });
    await pass(on, MINUTE);
    expect(pausing.state().state).toBe('running');
  });

  test.each<[day: string, spring: boolean, hours: number]>([
    ['on which the clock is put forward', true, 8],
    ['on which the clock is put back', false, 10],
  ])('go by the wall clock in a night %s', async (_, spring, hours) => {
    const begins = Date.UTC(2026, 2, 28, 21);
    // 22:00 at +1 h, or 23:00 at +2 h: changed four hours later.
    const changed = begins + 4 * HOUR;
    const on = machine({
      clock: createFakeClock(begins),
      zone: (at) => (at < changed === spring ? 60 : 120),
    });
    const from = spring ? '22:00' : '23:00';
    const { pausing } = await pausingOn(on, { rules: { quietHours: { from, to: spring ? '07:00' : '08:00' } } });
    const until = begins + hours * HOUR;
    expect(pausing.state()).toMatchObject({ state: 'paused', until: new Date(until).toISOString() });
    await pass(on, hours * HOUR - 1);
    expect(pausing.state().state).toBe('paused');
    await pass(on, 1);
    expect(pausing.state().state).toBe('running');
  });

  test('follow a clock that is set, within a minute', async () => {
    const on = machine({ clock: createFakeClock(Date.UTC(2026, 0, 15, 12)) });
    const { pausing } = await pausingOn(on, night);
    on.clock.jump(11 * HOUR);
    await pass(on, MINUTE);
    expect(pausing.state().source).toBe('quiet-hours');
    on.clock.jump(-11 * HOUR);
    await pass(on, MINUTE);
    expect(pausing.state().state).toBe('running');
  });
});
