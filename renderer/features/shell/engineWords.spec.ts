import { expect, it } from 'vitest';
import { engineStatusOf } from '../../../test/support/accounts/engineStatus.ts';
import { engineWords } from './engineWords.ts';

it('an engine is well only while it is ready, gives signs of life, and the app is heard', () => {
  expect(engineWords(engineStatusOf(), true).tone).toBe('ok');
  expect(engineWords(engineStatusOf({ silentSince: 0 }), true)).toEqual({ word: 'does not answer', tone: 'bad' });
  for (const state of ['starting', 'restarting', 'stopped', 'failed'] as const) {
    expect(engineWords(engineStatusOf({ state }), true).tone, state).not.toBe('ok');
  }
  expect(engineWords(engineStatusOf(), false)).toEqual({ word: 'not connected', tone: 'off' });
  expect(engineWords(null, true).tone).toBe('off');
});
