/**
 * What becomes of a terminal over SSH whose connection breaks, or which puts out more than can be shown: with a real
 * sshd.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { Flood, Flooded } from '../../support/ssh/floodEntry.ts';
import { openViewer, podAt, startSshGround, type SshGround, type SshViewer } from '../../support/ssh/sshPods.ts';
import { makeKey, startSshd, type TestKey, type TestSshd } from '../../support/ssh/sshd.ts';
import { DEADLINE_MS, until } from '../../support/core/until.ts';

const run = promisify(execFile);
/** Numbered lines, so that it can be told which are missing. The shell's own number stands in front. */
const COUNT = 'i=0; while :; do i=$((i+1)); echo "$$ line $i."; sleep 0.02; done\r';

/** The newest number of a line that was put out, and the shell that has put it out. */
function counted(viewer: SshViewer): { shell: string; line: number } | null {
  const last = [...viewer.text().matchAll(/(\d+) line (\d+)\./g)].at(-1);
  return last ? { shell: last[1]!, line: Number(last[2]) } : null;
}

describe('a terminal over SSH whose connection breaks', () => {
  let sshd: TestSshd;
  let ground: SshGround;
  let mine: TestKey;
  let tmuxDir: string;

  beforeAll(async () => {
    tmuxDir = await mkdtemp(join(tmpdir(), 'hangar-tmux-'));
    sshd = await startSshd([], { TMUX_TMPDIR: tmuxDir });
    mine = await makeKey(sshd.folder, 'mine');
    await sshd.authorize(mine);
    ground = await startSshGround([podAt(sshd)]);
    await ground.ssh.change({ identity: { from: 'file', path: mine.path }, keepsShells: false });
    const viewer = await openViewer(ground.ssh, 'pod-1');
    await viewer.link('refused');
    ground.ssh.trust({ host: '127.0.0.1', port: sshd.port }, sshd.hostKey().fingerprint);
    viewer.leave();
  });
  afterAll(async () => {
    await ground[Symbol.asyncDispose]();
    await sshd[Symbol.asyncDispose]();
    await rm(tmuxDir, { recursive: true, force: true });
  });

  it('and whose screen cannot be made ends with the reason, for all who look at it', async () => {
    const openScreen = () => Promise.reject(new Error('no memory is left'));
    await using broken = await startSshGround([podAt(sshd)], { openScreen });
    await broken.ssh.change({ identity: { from: 'file', path: mine.path }, keepsShells: false });
    const viewer = await openViewer(broken.ssh, 'pod-1');
    await viewer.link('refused');
    broken.ssh.trust({ host: '127.0.0.1', port: sshd.port }, sshd.hostKey().fingerprint);
    viewer.say({ type: 'retry' });
    await viewer.link('up');
    const late = await openViewer(broken.ssh, 'pod-1', { session: viewer.attached().session });
    const reason = 'The terminal was closed, because its screen could not be made: no memory is left';
    expect(await late.hears('ended')).toEqual({ type: 'ended', exitCode: null, reason });
    expect(await viewer.hears('ended')).toMatchObject({ reason });
    expect(await broken.ssh.terminals.of('a-cloud').list()).toEqual([]);
  });

  it('comes back in place, with all that was put out, and says that the shell is a new one', async () => {
    const viewer = await openViewer(ground.ssh, 'pod-1');
    await viewer.link('up');
    viewer.type(COUNT);
    await until(
      'some output',
      () => counted(viewer)?.line ?? 0,
      (now) => now > 20,
    );
    const { session } = viewer.attached();

    sshd.cut();
    const { retryAt, why } = await viewer.link('lost');
    expect(why).not.toBe('');
    expect(retryAt).toBeGreaterThan(0);
    await viewer.link('up');
    await viewer.sees('This is a new shell');
    viewer.type('echo still $((40 + 2))\r');
    await viewer.sees('still 42');

    // Whoever comes now sees the whole of it.
    const late = await openViewer(ground.ssh, 'pod-1', { session });
    const { snapshot } = await late.hears('attached');
    for (const text of ['line 20.', 'This is a new shell', 'still 42']) expect(snapshot).toContain(text);
    viewer.say({ type: 'close' });
    await viewer.hears('ended');
    await late.hears('ended');
  });

  it('goes on with the same shell where the Pod has tmux, which ends with the terminal', async () => {
    await ground.ssh.change({ keepsShells: true });
    const viewer = await openViewer(ground.ssh, 'pod-1');
    await viewer.link('up');
    viewer.type(COUNT);
    await until(
      'some output',
      () => counted(viewer)?.line ?? 0,
      (now) => now > 20,
    );

    sshd.cut();
    const before = counted(viewer)!;
    await viewer.link('lost');
    await viewer.link('up');
    await until(
      'the same shell to go on',
      () => counted(viewer),
      (now) => now !== null && now.shell === before.shell && now.line > before.line,
    );
    expect(viewer.text()).not.toContain('This is a new shell');

    const hasTmux = () =>
      run('tmux', ['-L', 'hangar', 'ls'], { env: { ...process.env, TMUX_TMPDIR: tmuxDir } }).then(
        () => true,
        () => false,
      );
    expect(await hasTmux()).toBe(true);
    // A slow machine has longer to end it than a Pod that may be away.
    ground.leastWaitMs = DEADLINE_MS;
    viewer.say({ type: 'close' });
    await viewer.hears('ended');
    ground.leastWaitMs = 0;
    await until('tmux to be gone', async () => !(await hasTmux()));
    await ground.ssh.change({ keepsShells: false });
  });

  it.each([false, true])('lists what runs in it while it is connected, with tmux: %s', async (keepsShells) => {
    await ground.ssh.change({ keepsShells });
    const viewer = await openViewer(ground.ssh, 'pod-1');
    await viewer.link('up');
    const { session } = viewer.attached();
    const programs = () => ground.ssh.terminals.of('a-cloud').programs(session);
    await until('the shell alone', programs, (now) => now?.length === 0);
    viewer.type('sleep 4501\r');
    await until('the program', programs, (now) => now?.join() === 'sleep 4501');
    viewer.say({ type: 'close' });
    await viewer.hears('ended');
    await expect(programs()).rejects.toThrow('This shell has ended');
    await ground.ssh.change({ keepsShells: false });
  });

  it('comes back after a sleep of this computer: without a wait where it is lost, and where it is dead without a sign', async () => {
    const viewer = await openViewer(ground.ssh, 'pod-1');
    await viewer.link('up');
    const connections = sshd.connections();
    // A connection that survived stays. It has as long to answer as a slow machine takes.
    ground.leastWaitMs = DEADLINE_MS;
    ground.ssh.resumed();
    ground.leastWaitMs = 0;
    viewer.type('echo awake $((40 + 2))\r');
    await viewer.sees('awake 42');

    sshd.freeze();
    ground.ssh.resumed();
    expect((await viewer.link('lost')).why).toBe('The connection did not survive the sleep of this computer.');
    await viewer.link('up');
    expect(sshd.connections()).toBe(connections + 1);

    // The network comes back after the computer.
    sshd.letIn(false);
    sshd.cut();
    for (let tries = 0; tries < 3; tries++) {
      await viewer.link('lost');
      viewer.say({ type: 'retry' });
    }
    await viewer.link('lost');
    const before = ground.waits.length;
    sshd.letIn(true);
    ground.ssh.resumed();
    await viewer.link('up');
    const retryMs: readonly number[] = limits.ssh.againMs;
    expect(ground.waits.slice(before).filter((ms) => retryMs.includes(ms))).toEqual([]);
    viewer.say({ type: 'close' });
    await viewer.hears('ended');
  });

  it('that was refused is not tried again by a sleep', async () => {
    const viewer = await openViewer(ground.ssh, 'pod-1');
    await viewer.link('up');
    await sshd.authorize();
    sshd.cut();
    await viewer.link('lost');
    await viewer.link('refused');
    const connections = sshd.connections();
    ground.ssh.resumed();
    expect(sshd.connections()).toBe(connections);
    await sshd.authorize(mine);
    viewer.say({ type: 'retry' });
    await viewer.link('up');
    viewer.say({ type: 'close' });
    await viewer.hears('ended');
  });

  it('is tried again later and later, and at once when somebody asks', async () => {
    const viewer = await openViewer(ground.ssh, 'pod-1');
    await viewer.link('up');
    sshd.letIn(false);
    sshd.cut();
    const before = ground.waits.length;
    for (let tries = 0; tries < 3; tries++) {
      await viewer.link('lost');
      viewer.say({ type: 'retry' });
    }
    await viewer.link('lost');
    expect(ground.waits.slice(before)).toEqual(limits.ssh.againMs.slice(0, 4));
    sshd.letIn(true);
    viewer.say({ type: 'retry' });
    await viewer.link('up');
    viewer.say({ type: 'close' });
    await viewer.hears('ended');
  });

  it('ends with its Pod, and says so', async () => {
    const viewer = await openViewer(ground.ssh, 'pod-1');
    await viewer.link('up');
    ground.pods = [{ ...podAt(sshd), desiredStatus: 'EXITED' }];
    sshd.cut();
    expect(await viewer.hears('ended')).toMatchObject({
      exitCode: null,
      reason: 'The Pod is stopped. Start it, then open a terminal.',
    });
    ground.pods = [podAt(sshd)];
  });

  it('holds 50 MB of output back while nobody shows it, brings every byte of it, and keeps a bounded part in memory', async () => {
    const bytes = 50 * 1024 * 1024;
    const flood: Flood = {
      pod: podAt(sshd),
      keyFile: mine.path,
      bytes,
      fingerprint: sshd.hostKey().fingerprint,
      host: { host: '127.0.0.1', port: sshd.port },
    };
    const entry = resolve(import.meta.dirname, '../../support/ssh/floodEntry.ts');
    const { stdout } = await run(process.execPath, ['--expose-gc', entry, JSON.stringify(flood)]);
    const flooded = JSON.parse(stdout) as Flooded;
    // Held at what may be ahead of the viewer, and one piece more.
    expect(flooded.heldAt).toBeGreaterThan(limits.terminal.aheadBytes);
    expect(flooded.heldAt).toBeLessThan(2 * limits.terminal.aheadBytes);
    // Line ends are two bytes in a terminal.
    expect(flooded.came).toBeGreaterThan(bytes);
    expect(flooded.inUse).toBeLessThan(40 * 1024 * 1024);
  });
});
