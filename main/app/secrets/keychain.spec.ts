/** Rules of the process that reads the keychain when it crashes, with processes and a clock that the spec drives. */
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import type { ChildExit, ChildProgram } from '../platform/childProgram.ts';
import { createKeychain } from './keychain.ts';
import { keychainRequestSchema } from './keychainMessages.ts';

const crash: ChildExit = { code: 1, signal: null };
const killed: ChildExit = { code: null, signal: 'SIGKILL' };

/** A process that answers when the spec says so. */
class HandChild implements ChildProgram {
  readonly pid = 7;
  readonly requests: { id: number; op: string; name: string }[] = [];
  #message: (message: unknown) => void = () => undefined;
  #exit: (exit: ChildExit) => void = () => undefined;

  send(message: object): void {
    this.requests.push(keychainRequestSchema.parse(message));
  }
  onMessage(listener: (message: unknown) => void): void {
    this.#message = listener;
  }
  onExit(listener: (exit: ChildExit) => void): void {
    this.#exit = listener;
  }
  kill(signal: string): void {
    this.exit({ code: null, signal });
  }
  exit(exit: ChildExit): void {
    this.#exit(exit);
  }
  answer(value: string): void {
    for (const { id } of this.requests.splice(0)) this.#message({ id, ok: true, value });
  }
}

function start() {
  const clock = createFakeClock();
  const children: HandChild[] = [];
  const crashes: string[] = [];
  const keychain = createKeychain({
    fork() {
      const child = new HandChild();
      children.push(child);
      return child;
    },
    clock,
    onCrash: (_exit, cause) => crashes.push(cause),
  });
  const newest = (): HandChild => children.at(-1) ?? expect.fail('no process was started');
  return { clock, children, crashes, keychain, newest };
}

describe('the process that reads the keychain', () => {
  it('is started again after a crash, and the call that waited is answered', async () => {
    const { clock, children, crashes, keychain, newest } = start();
    const value = keychain.get('account/1');
    newest().exit(killed);
    expect(children).toHaveLength(1);
    clock.advance(150);
    expect(children).toHaveLength(2);
    expect(newest().requests).toMatchObject([{ op: 'get', name: 'account/1' }]);
    newest().answer('one');
    expect(await value).toBe('one');
    expect(crashes).toEqual(['The process that reads the keychain ended unexpectedly (signal SIGKILL).']);
  });

  it('is started later after each crash, and a call in the meantime waits with the others', async () => {
    const { clock, children, keychain, newest } = start();
    const first = keychain.get('account/1').catch(() => 'failed');
    newest().exit(crash);
    clock.advance(150);
    newest().exit(crash);
    expect(await first).toBe('failed');
    const second = keychain.get('account/2');
    expect(children).toHaveLength(3);
    newest().exit(crash);
    const third = keychain.get('account/3');
    clock.advance(4999);
    expect(children).toHaveLength(3);
    clock.advance(1);
    expect(children).toHaveLength(4);
    newest().answer('two');
    expect(await Promise.all([second, third])).toEqual(['two', 'two']);
  });

  it('gets no call again that ended two processes', async () => {
    const { clock, keychain, newest, children } = start();
    const value = keychain.get('account/1');
    newest().exit(crash);
    clock.advance(150);
    newest().exit(crash);
    await expect(value).rejects.toMatchObject({ details: { trouble: 'failed' } });
    clock.advance(60_000);
    expect(children).toHaveLength(2);
  });

  it('is not started again after five crashes within ten minutes, until a person looks again', async () => {
    const { clock, keychain, newest, children } = start();
    for (let crashes = 0; crashes < 5; crashes += 1) {
      const value = keychain.get('account/1').catch(() => null);
      newest().exit(crash);
      clock.advance(15_000);
      if (crashes % 2 === 0) newest().exit(crash);
      await value;
    }
    const count = children.length;
    await expect(keychain.get('account/1')).rejects.toMatchObject({
      message: expect.stringContaining('keeps crashing. It crashed 5 times'),
    });
    expect(children).toHaveLength(count);
    const checked = keychain.check();
    expect(children).toHaveLength(count + 1);
    newest().answer('');
    expect(await checked).toBeNull();
    const value = keychain.get('account/1');
    newest().answer('one');
    expect(await value).toBe('one');
  });

  it('counts no crash when it ends because nobody needs it, or with the program', async () => {
    const { clock, crashes, keychain, newest } = start();
    const value = keychain.get('account/1');
    newest().answer('one');
    await value;
    clock.advance(60_000);
    await keychain.stop();
    expect(crashes).toEqual([]);
  });
});
