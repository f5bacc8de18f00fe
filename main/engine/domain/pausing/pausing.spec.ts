import { describe, expect, test } from 'vitest';
import type { PauseState } from '#contract/local/machine.ts';
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

describe('a change of the power source', () => {
  const rules = { rules: { battery: true } };

  test('is noticed at once where the host reports it, not at the next poll', async () => {
    const on = machine();
    const { pausing } = await pausingOn(on, rules);
    on.facts.onBattery = true;
    pausing.inspectNow();
    await turnsDone();
    expect(pausing.state()).toMatchObject({ state: 'paused', source: 'battery' });
  });

  test('is noticed at the end of a sleep together with the end of a timed pause', async () => {
    const on = machine();
    const { pausing } = await pausingOn(on);
    pausing.pause({ when: 'now', forMs: 30 * MINUTE });
    on.clock.jump(HOUR);
    pausing.inspectNow();
    expect(pausing.state()).toEqual(running);
  });
});

describe('a person', () => {
  test('pauses at once until they resume, and is told so', async () => {
    const on = machine();
    const { pausing } = await pausingOn(on);
    const seen: PauseState['state'][] = [];
    pausing.onChange(({ state }) => seen.push(state));
    expect(pausing.state()).toEqual(running);
    expect(pausing.pause({ when: 'now' })).toEqual({
      ...running,
      state: 'paused',
      source: 'person',
      message: 'Paused by you.',
      since: '2026-01-15T00:00:00.000Z',
    });
    await pass(on, 2 * MINUTE);
    expect(pausing.resume()).toEqual(running);
    expect(seen).toEqual(['paused', 'running']);
  });

  test('pauses for a time, which ends by itself', async () => {
    const on = machine();
    const { pausing } = await pausingOn(on);
    expect(pausing.pause({ when: 'now', forMs: 30 * MINUTE }).until).toBe('2026-01-15T00:30:00.000Z');
    await pass(on, 30 * MINUTE - 1);
    expect(pausing.state().state).toBe('paused');
    await pass(on, 1);
    expect(pausing.state()).toEqual(running);
    expect(on.clock.pending()).toBe(0);
  });

  test('pauses after the running jobs: they end first, and then nothing runs', async () => {
    const on = machine({ busy: true });
    const { pausing } = await pausingOn(on);
    expect(pausing.pause({ when: 'after-job' })).toMatchObject({
      state: 'finishing',
      source: 'person',
      message: 'Paused by you once the running jobs have ended.',
    });
    await pass(on, 5000);
    expect(pausing.state().state).toBe('finishing');
    on.busy = false;
    await pass(on, 1000);
    expect(pausing.state()).toMatchObject({ state: 'paused', source: 'person' });
  });

  test('pauses after the running jobs when there are none: at once', async () => {
    const { pausing } = await pausingOn(machine());
    expect(pausing.pause({ when: 'after-job' }).state).toBe('paused');
  });

  test('who has a clock that jumps past the end of the pause is not kept waiting longer than a minute', async () => {
    const on = machine();
    const { pausing } = await pausingOn(on);
    pausing.pause({ when: 'now', forMs: 5 * HOUR });
    on.clock.jump(6 * HOUR);
    await pass(on, MINUTE);
    expect(pausing.state().state).toBe('running');
  });

  test('who has a clock that jumps back is paused no longer than they asked for', async () => {
    const on = machine();
    const { pausing } = await pausingOn(on);
    pausing.pause({ when: 'now', forMs: 10 * MINUTE });
    on.clock.jump(-24 * HOUR);
    await pass(on, 10 * MINUTE);
    expect(pausing.state().state).toBe('running');
  });

  test('gets their machine back even where that cannot be stored', async () => {
    const on = machine({ storeFails: true });
    const { pausing } = await pausingOn(on);
    expect(pausing.pause({ when: 'now' }).state).toBe('paused');
  });
});

describe('a start', () => {
  const paused = { source: 'person', finishing: false, since: 1, until: null, forMs: null };
  const before = (storedPause: object | null, overruled: string[] = []) => ({ held: storedPause, overruled });

  test.each([
    ['as-it-was', null, 'running'],
    ['as-it-was', paused, 'Paused by you.'],
    ['run', paused, 'running'],
    ['paused', null, 'Paused since Hangar was started, as the settings say.'],
    ['paused', paused, 'Paused by you.'],
  ] as const)('with onStart %s after %o: %s', async (onStart, storedPause, state) => {
    const { pausing } = await pausingOn(machine({ stored: before(storedPause) }), { onStart });
    expect(pauseMessage(pausing)).toBe(state);
  });

  test('goes on with a timed pause until its time', async () => {
    const on = machine();
    const first = await pausingOn(on);
    first.pausing.pause({ when: 'now', forMs: 10 * MINUTE });
    await first.pausing.stop();
    await pass(on, 4 * MINUTE);
    const { pausing } = await pausingOn(on);
    expect(pausing.state()).toMatchObject({ source: 'person', until: '2026-01-15T00:10:00.000Z' });
    await pass(on, 6 * MINUTE);
    expect(pausing.state().state).toBe('running');
  });

  test('after the end of a timed pause runs', async () => {
    const on = machine();
    const first = await pausingOn(on);
    first.pausing.pause({ when: 'now', forMs: 10 * MINUTE });
    await first.pausing.stop();
    await pass(on, 11 * MINUTE);
    expect((await pausingOn(on)).pausing.state().state).toBe('running');
  });

  test('does not wait for jobs that ended with the engine that ran them', async () => {
    const on = machine({ stored: before({ ...paused, finishing: true }), busy: true });
    expect((await pausingOn(on)).pausing.state().state).toBe('paused');
  });

  test('knows which rules were overruled, and only while they hold', async () => {
    const on = machine({ stored: before(null, ['battery']), facts: { onBattery: true, programs: [], gpus: [] } });
    const { pausing } = await pausingOn(on, { rules: { battery: true } });
    expect(pausing.state()).toMatchObject({ state: 'running', overruled: ['battery'] });
    on.facts.onBattery = false;
    await pausing.stop();
    const later = await pausingOn(on, { rules: { battery: true } });
    on.facts.onBattery = true;
    await pass(on, 5000);
    expect(later.pausing.state()).toMatchObject({ state: 'paused', source: 'battery' });
  });

  test('is paused by a rule that holds from the very first moment', async () => {
    const on = machine({ facts: { onBattery: null, programs: null, gpus: [use({ utilPercent: 90 })] } });
    expect(pauseMessage((await pausingOn(on, { rules: { othersGpuPercent: 30 } })).pausing)).toContain('90 %');
  });

  test('with a stored pause that cannot be understood runs', async () => {
    expect((await pausingOn(machine({ stored: { held: 'yes' } }))).pausing.state()).toEqual(running);
  });
});

describe('resuming anyway', () => {
  test('overrules the rules that hold until each has stopped holding; then they hold as ever', async () => {
    const on = machine({ facts: { onBattery: true, programs: ['game'], gpus: [] } });
    const { pausing } = await pausingOn(on, { rules: { battery: true, programs: ['game'] } });
    expect(pausing.state().source).toBe('battery');
    expect(pausing.resume()).toEqual({ ...running, overruled: ['battery', 'programs'] });
    await pass(on, MINUTE);
    expect(pausing.state().state).toBe('running');
    on.facts.programs = [];
    await pass(on, 15_000);
    expect(pausing.state().overruled).toEqual(['battery']);
    on.facts.programs = ['game'];
    await pass(on, 5000);
    expect(pausing.state()).toMatchObject({ state: 'paused', source: 'programs', overruled: ['battery'] });
  });

  test('does not overrule a rule that begins to hold later', async () => {
    const on = machine({ facts: { onBattery: true, programs: [], gpus: [] } });
    const { pausing } = await pausingOn(on, { rules: { battery: true, programs: ['game'] } });
    pausing.resume();
    on.facts.programs = ['game'];
    await pass(on, 5000);
    expect(pausing.state().source).toBe('programs');
  });

  test('a pause of the person is above the rules, and of the rules the first is told', async () => {
    const on = machine({ facts: { onBattery: true, programs: ['game'], gpus: [] } });
    const { pausing } = await pausingOn(on, { rules: { battery: true, programs: ['game'] } });
    expect(pausing.pause({ when: 'now', forMs: MINUTE }).source).toBe('person');
    await pass(on, MINUTE);
    expect(pausing.state().source).toBe('battery');
    on.busy = true;
    // There is no work to wait for: the rule has already paused the machine, and remains the reason.
    expect(pausing.pause({ when: 'after-job' }).source).toBe('battery');
  });
});

describe('the machine is looked at', () => {
  test('only while a rule needs it, only for what it needs, every five seconds', async () => {
    const on = machine();
    const { rules } = await pausingOn(on);
    await pass(on, HOUR / 10);
    expect(on.looks).toEqual([]);
    expect(on.clock.pending()).toBe(0);
    rules({ programs: ['game'] });
    await turnsDone();
    await pass(on, 20_000);
    expect(on.looks).toEqual(Array(5).fill({ onBattery: false, programs: true, gpus: false }));
    rules({ programs: [], othersGpuPercent: 50 });
    await turnsDone();
    expect(on.looks.at(-1)).toEqual({ onBattery: false, programs: false, gpus: true });
    rules({ othersGpuPercent: null });
    await turnsDone();
    expect(on.clock.pending()).toBe(0);
  });

  test('again at once when the rules change while it is being looked at', async () => {
    const on = machine({ facts: { onBattery: true, programs: ['game'], gpus: [] } });
    const { pausing, rules } = await pausingOn(on);
    rules({ programs: ['game'] });
    rules({ programs: [], battery: true });
    await turnsDone();
    expect(pausing.state().source).toBe('battery');
    expect(on.looks).toHaveLength(2);
  });

  test('no more after it was stopped', async () => {
    const on = machine();
    const { pausing } = await pausingOn(on, { rules: { battery: true } });
    await pausing.stop();
    on.facts.onBattery = true;
    await pass(on, MINUTE);
    expect(on.looks).toHaveLength(1);
    expect(on.clock.pending()).toBe(0);
  });
});
