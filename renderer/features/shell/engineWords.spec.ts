import { expect, it } from 'vitest';
import type { EngineStatus } from '#contract/app/account.ts';
import { engineWords } from './engineWords.ts';

const status = (fields: Partial<EngineStatus>): EngineStatus => ({
  state: 'ready',
  silentSince: null,
  address: 'http://127.0.0.1:1',
  restarts: 0,
  nextTryAt: null,
  reason: null,
  notices: [],
  ...fields,
});

it('an engine is well only while it is ready, gives signs of life, and the app is heard', () => {
  expect(engineWords(status({}), true).tone).toBe('ok');
  expect(engineWords(status({ silentSince: 0 }), true)).toEqual({ word: 'does not answer', tone: 'bad' });
  for (const state of ['starting', 'restarting', 'stopped', 'failed'] as const) {
    expect(engineWords(status({ state }), true).tone, state).not.toBe('ok');
  }
  expect(engineWords(status({}), false)).toEqual({ word: 'not connected', tone: 'off' });
  expect(engineWords(null, true).tone).toBe('off');
});
