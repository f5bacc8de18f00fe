/** What the desktop knows of the activity of this computer while it asks for it. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { PauseState } from '#contract/local/machine.ts';
import { createFakeClock } from '../../../../test/support/core/fakeClock.ts';
import type { AppClient } from '../service.ts';
import { watchActivity, type Activity } from './activity.ts';

/** Lets all answers arrive that wait for nothing but each other. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('an answer that comes after the answer to a later question changes nothing', async () => {
  const answers: ((state: PauseState['state']) => void)[] = [];
  const pauseState = (): Promise<PauseState> =>
    new Promise((resolve) => {
      answers.push((state) => resolve({ state, until: null, message: null } as PauseState));
    });
  const client = { machine: { pauseState, workers: async () => [] } } as unknown as AppClient;
  const shown: Activity['state'][] = [];
  const clock = createFakeClock();
  const options = { clock, logger: pino({ level: 'silent' }) };
  const watch = watchActivity(
    () => client,
    ({ state }) => shown.push(state),
    options,
  );
  // As after a pause that a person asked for: what was asked before it is answered last.
  watch.refresh();
  answers[1]?.('paused');
  await settle();
  answers[0]?.('running');
  await settle();
  expect(shown).toEqual(['paused']);
  expect(watch.now().state).toBe('paused');
  watch.stop();
  expect(clock.pending()).toBe(0);
});
