/** Rules of the process of the engine that starts beside its host. */
import { expect, test } from 'vitest';
import { engineEnv } from './start.ts';

test('an engine that starts before the host has read its secrets does not inherit them', () => {
  const env = { PATH: '/bin', HANGAR_API_KEY: 'rpa_secret1', HANGAR_PASSPHRASE: 'secret2', HANGAR_KEYS: 'file' };
  expect(engineEnv(env, null)).toEqual({ PATH: '/bin', HANGAR_KEYS: 'file' });
  expect(engineEnv(env, '/code')).toEqual({ PATH: '/bin', HANGAR_KEYS: 'file', NODE_COMPILE_CACHE: '/code' });
});
