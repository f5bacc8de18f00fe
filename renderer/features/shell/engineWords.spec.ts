import { expect, it } from 'vitest';
import { engineStatusOf } from '../../../test/support/accounts/engineStatus.ts';
import { engineWords } from './engineWords.ts';

it('an engine is well only while it is ready, gives signs of life, and the app is heard', () => {
  expect(engineWords(engineStatusOf(), 'open').tone).toBe('ok');
  expect(engineWords(engineStatusOf({ silentSince: 0 }), 'open')).toEqual({ word: 'does not answer', tone: 'bad' });
  for (const state of ['starting', 'restarting', 'stopped', 'failed'] as const) {
    expect(engineWords(engineStatusOf({ state }), 'open').tone, state).not.toBe('ok');
  }
  expect(engineWords(engineStatusOf(), 'lost')).toEqual({ word: 'not connected', tone: 'off' });
});

it('an engine of which nothing was heard yet is not called gone', () => {
  expect(engineWords(null, 'connecting')).toEqual({ word: 'connecting', tone: 'wait' });
  expect(engineWords(null, 'open')).toEqual({ word: 'connecting', tone: 'wait' });
});
