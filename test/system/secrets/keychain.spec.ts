/**
 * Rules of the system's keychain, with a real one: what is kept, and what is said where it is missing, locked, or
 * hangs.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { systemClock, type Clock } from '../../../main/app/platform/clock.ts';
import { createKeychain, type Keychain } from '../../../main/app/secrets/keychain.ts';
import { forkKeychain, reasonForNoKeyring, startKeyring } from './keyring.ts';
import { createFakeClock } from '../../support/core/fakeClock.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = reasonForNoKeyring();
const locked = {
  code: 'SECRETS_UNAVAILABLE',
  details: { trouble: 'locked' },
  message: expect.stringContaining('locked'),
};
const NO_BUS = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus', DISPLAY: '' };

const opened: Keychain[] = [];
function keychainOn(env: Record<string, string>, clock: Clock = systemClock): Keychain {
  const keychain = createKeychain({ fork: () => forkKeychain(env), clock, service: 'dev.hangar.test' });
  opened.push(keychain);
  return keychain;
}
afterEach(async () => {
  for (const keychain of opened.splice(0)) await keychain.stop();
});

describe('a keychain', skipFor(none), () => {
  it('keeps one entry for each name, for the next process that asks, until it is deleted', async () => {
    await using keyring = await startKeyring();
    const first = keychainOn(keyring.env);
    await first.set('account/1', 'one');
    await first.set('account/2', 'two');
    await first.set('account/1', 'another');
    await first.stop();
    const second = keychainOn(keyring.env);
    expect(await second.get('account/1')).toBe('another');
    expect(await second.get('account/2')).toBe('two');
    await second.delete('account/1');
    await second.delete('account/1');
    expect(await second.get('account/1')).toBeNull();
    expect(await second.get('account/2')).toBe('two');
    expect(await second.check()).toBeNull();
  });

  it('that is locked says so, and does not say that there is no such key', async () => {
    await using keyring = await startKeyring();
    const keychain = keychainOn(keyring.env);
    await keychain.set('account/1', 'one');
    keyring.lock();
    await expect(keychain.get('account/1')).rejects.toMatchObject(locked);
    await expect(keychain.set('account/1', 'two')).rejects.toMatchObject(locked);
    await expect(keychain.delete('account/1')).rejects.toMatchObject(locked);
    expect(await keychain.check()).toMatchObject({ trouble: 'locked' });
    await keyring.unlock();
    expect(await keychain.get('account/1')).toBe('one');
  });

  it('that hangs is given up with a message, holds up no stop, and is used again once it answers', async () => {
    await using keyring = await startKeyring();
    const clock = createFakeClock();
    const keychain = keychainOn(keyring.env, clock);
    await keychain.set('account/1', 'one');
    keyring.hang();
    const slow = { details: { trouble: 'slow' }, message: expect.stringContaining('does not answer') };
    const waiting = expect(keychain.get('account/1')).rejects.toMatchObject(slow);
    clock.advance(limits.secrets.answerMs);
    await waiting;
    // Nobody waits a second time behind a call that is stuck.
    await expect(keychain.get('account/1')).rejects.toMatchObject(slow);
    const answered = new Promise<void>((resolve) => keychain.onLateAnswer(resolve));
    keyring.goOn();
    await answered;
    expect(await keychain.get('account/1')).toBe('one');
    keyring.hang();
    const stuck = keychain.get('account/1');
    stuck.catch(() => undefined);
    await keychain.stop();
    await expect(stuck).rejects.toMatchObject({ code: 'SECRETS_UNAVAILABLE' });
  });

  it('that is not there is said with what to do', async () => {
    await using bus = await startKeyring({ withKeyring: false });
    const problem = await keychainOn(bus.env).check();
    expect(problem).toMatchObject({ trouble: 'missing', reason: expect.stringContaining('No keychain runs') });
  });

  it('that no D-Bus leads to is said with what to do', async () => {
    for (const env of [NO_BUS, { DBUS_SESSION_BUS_ADDRESS: '', DISPLAY: '', XDG_RUNTIME_DIR: '/nonexistent' }]) {
      const keychain = keychainOn(env);
      const problem = { trouble: 'missing', reason: expect.stringContaining('no D-Bus session') };
      expect(await keychain.check()).toMatchObject(problem);
      await expect(keychain.get('account/1')).rejects.toMatchObject({ details: { trouble: 'missing' } });
    }
  });
});
