/** Who a terminal over SSH is let in as, and whom it speaks to: against a real OpenSSH server. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewer, podAt, startSshGround, type SshGround } from '../../support/ssh/sshPods.ts';
import { makeKey, startSshd, type TestKey, type TestSshd } from '../../support/ssh/sshd.ts';

const run = promisify(execFile);

describe('signing in to a Pod over SSH', () => {
  let sshd: TestSshd;
  let ground: SshGround;
  let mine: TestKey;
  let locked: TestKey;
  let strange: TestKey;

  beforeAll(async () => {
    sshd = await startSshd(['PasswordAuthentication yes']);
    mine = await makeKey(sshd.folder, 'mine');
    locked = await makeKey(sshd.folder, 'locked', 'open sesame');
    strange = await makeKey(sshd.folder, 'strange');
    await sshd.authorize(mine, locked);
    ground = await startSshGround([podAt(sshd)]);
    await ground.ssh.change({ identity: { from: 'file', path: mine.path }, keepsShells: false });
  });
  afterAll(async () => {
    await ground[Symbol.asyncDispose]();
    await sshd[Symbol.asyncDispose]();
  });

  it('asks about a host key that was never seen, and lets the shell in once the person trusts it', async () => {
    const viewer = await openViewer(ground.ssh, 'pod-1');
    const { question, why } = await viewer.link('refused');
    expect(question).toEqual({
      kind: 'new-host',
      host: '127.0.0.1',
      port: sshd.port,
      algorithm: 'ssh-ed25519',
      fingerprint: sshd.hostKey().fingerprint,
    });
    expect(why).toContain(`127.0.0.1:${sshd.port}`);
    expect(() => ground.ssh.trust({ host: '127.0.0.1', port: sshd.port }, 'SHA256:another')).toThrow(
      /did not send this key/,
    );

    ground.ssh.trust({ host: '127.0.0.1', port: sshd.port }, sshd.hostKey().fingerprint);
    viewer.say({ type: 'retry' });
    await viewer.link('up');
    viewer.type('echo $((6 * 7)) $TERM $COLORTERM\r');
    await viewer.sees('42 xterm-256color truecolor');
    // As ssh itself would have written it.
    const known = await readFile(join(ground.dataDir, 'known_hosts'), 'utf8');
    expect(known).toBe(`[127.0.0.1]:${sshd.port} ${sshd.hostKey().line.split(' ').slice(0, 2).join(' ')}\n`);
    viewer.type('exit 3\r');
    expect(await viewer.hears('ended')).toMatchObject({ exitCode: 3, reason: 'The shell exited with code 3.' });
  });

  it('says who refuses the key, that a password is not sent, and does not try again by itself', async () => {
    await ground.ssh.change({ identity: { from: 'file', path: strange.path } });
    const before = sshd.connections();
    const viewer = await openViewer(ground.ssh, 'pod-1');
    const { why, question, retryAt } = await viewer.link('refused');
    expect({ question, retryAt }).toEqual({ question: null, retryAt: null });
    expect(why).toContain(strange.fingerprint);
    expect(why).toContain('asks for a password, which Hangar does not send');
    expect(why).toContain('PUBLIC_KEY');
    expect(sshd.connections()).toBe(before + 1);

    await ground.ssh.change({ identity: { from: 'file', path: mine.path } });
    viewer.say({ type: 'retry' });
    await viewer.link('up');
    viewer.say({ type: 'close' });
    await viewer.hears('ended');
  });

  it('asks for the passphrase of a key file once, and again after it is forgotten', async () => {
    await ground.ssh.change({ identity: { from: 'file', path: locked.path } });
    const viewer = await openViewer(ground.ssh, 'pod-1');
    expect(await viewer.link('refused')).toMatchObject({ question: { kind: 'passphrase', file: locked.path } });
    await expect(ground.ssh.unlock('guessed', false)).rejects.toThrow(/not the passphrase/);
    await ground.ssh.unlock('open sesame', true);
    viewer.say({ type: 'retry' });
    await viewer.link('up');
    viewer.say({ type: 'close' });
    await viewer.hears('ended');

    // Kept, so that another run finds it.
    await ground.restart();
    expect(await ground.ssh.now()).toMatchObject({ locked: false, offers: [{ fingerprint: locked.fingerprint }] });
    await ground.ssh.lock();
    expect(await ground.ssh.now()).toMatchObject({ locked: true, offers: [] });
    await ground.ssh.change({ identity: { from: 'file', path: mine.path } });
  });

  it('takes the keys of an agent where there is one, before any file', async () => {
    const { stdout } = await run('ssh-agent', ['-s', '-a', join(sshd.folder, 'agent')]);
    const pid = Number(/SSH_AGENT_PID=(\d+)/.exec(stdout)![1]);
    try {
      const env = { ...process.env, SSH_AUTH_SOCK: join(sshd.folder, 'agent') };
      await ground.restart(env.SSH_AUTH_SOCK);
      await ground.ssh.change({ identity: { from: 'agent' } });
      expect((await ground.ssh.now()).problem).toContain('the agent has no key');
      await run('ssh-add', ['-q', mine.path], { env });
      await ground.ssh.change({ identity: { from: 'auto' } });
      expect(await ground.ssh.now()).toMatchObject({
        offers: [{ from: 'the agent', fingerprint: mine.fingerprint, line: mine.line }],
        problem: null,
      });
      const viewer = await openViewer(ground.ssh, 'pod-1');
      await viewer.link('up');
      viewer.say({ type: 'close' });
      await viewer.hears('ended');
    } finally {
      process.kill(pid);
      await ground.restart();
      await ground.ssh.change({ identity: { from: 'file', path: mine.path } });
    }
  });

  it('says what is missing where the person has no key at all', async () => {
    await ground.ssh.change({ identity: { from: 'auto' } });
    const viewer = await openViewer(ground.ssh, 'pod-1');
    expect((await viewer.link('refused')).why).toMatch(/no agent runs .* no key file in .*ssh-keygen/);
    viewer.leave();
    await ground.ssh.change({ identity: { from: 'file', path: mine.path } });
  });

  it('shows the same to several viewers, in the size that one of them has changed it to', async () => {
    const one = await openViewer(ground.ssh, 'pod-1', { columns: 100, rows: 30 });
    await one.link('up');
    one.type('stty size\r');
    await one.sees('30 100');
    const two = await openViewer(ground.ssh, 'pod-1', { session: one.attached().session, columns: 91, rows: 31 });
    expect(await one.hears('resized')).toMatchObject({ columns: 91, rows: 31 });
    two.type('stty size\r');
    await one.sees('31 91');
    await two.sees('31 91');
    two.leave();
    one.say({ type: 'close' });
    expect(await one.hears('ended')).toMatchObject({ exitCode: null, reason: 'The terminal was closed.' });
  });

  it('refuses a host key that has changed, with both fingerprints, and sends nothing until the old one is forgotten', async () => {
    await using other = await startSshd();
    await other.authorize(mine);
    ground.pods = [podAt(sshd), podAt(other, 'pod-2')];
    const host = { host: '127.0.0.1', port: other.port };
    const first = await openViewer(ground.ssh, 'pod-2');
    await first.link('refused');
    ground.ssh.trust(host, other.hostKey().fingerprint);
    first.leave();

    const old = other.hostKey().fingerprint;
    await other.changeHostKey();
    const viewer = await openViewer(ground.ssh, 'pod-2');
    const { question, why } = await viewer.link('refused');
    const shown = { ...host, algorithm: 'ssh-ed25519', fingerprint: other.hostKey().fingerprint };
    expect(question).toEqual({ kind: 'changed-host', ...shown, remembered: [old] });
    expect(why).toContain('Nothing was sent');
    // It never came to signing in.
    expect(other.log()).not.toMatch(/Accepted|Failed|Postponed/);
    expect(() => ground.ssh.trust(host, shown.fingerprint)).toThrow(/did not send this key/);

    ground.ssh.forget(host);
    viewer.say({ type: 'retry' });
    expect((await viewer.link('refused')).question).toEqual({ kind: 'new-host', ...shown });
    ground.ssh.trust(host, shown.fingerprint);
    viewer.say({ type: 'retry' });
    await viewer.link('up');
    viewer.say({ type: 'close' });
    await viewer.hears('ended');
  });
});
