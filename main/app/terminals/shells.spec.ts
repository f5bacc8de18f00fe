/** Which shells of this computer there can be, and for whom. Shells themselves are in `host/`. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { skipFor } from '../../../test/support/core/skip.ts';
import { systemClock } from '../platform/clock.ts';
import type { Directory } from '../services/directory.ts';
import { loadPty } from './host/loadPty.ts';
import { createShells } from './shells.ts';

const loaded = await loadPty();
const whyNot = 'problem' in loaded ? loaded.problem : null;

describe('shells of this computer', skipFor(whyNot), () => {
  let folder = '';
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  async function shellsWith({ allowsHostShell = true, path = '/no/such/folder' } = {}) {
    folder = await mkdtemp(join(tmpdir(), 'hangar-shells-'));
    vi.stubEnv('PATH', path);
    await mkdir(join(folder, '.ssh'));
    await writeFile(join(folder, '.ssh', 'config'), 'Host web\n');
    const { host } = createShells({
      dataDir: folder,
      home: folder,
      directory: {} as Directory,
      passphrases: { get: async () => null, set: async () => undefined, delete: async () => undefined },
      agentSocket: undefined,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      allowsHostShell,
      mask: 0o022,
    });
    return host;
  }
  const listener = { output: () => undefined, send: () => undefined, closed: () => undefined };
  const atWeb = { kind: 'ssh', targetId: 'web' } as const;

  it('have the hosts of the settings where there is a program "ssh"', async () => {
    const bin = await mkdtemp(join(tmpdir(), 'hangar-bin-'));
    const name = process.platform === 'win32' ? 'ssh.exe' : 'ssh';
    await writeFile(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
    const host = await shellsWith({ path: bin });
    expect(await host.sshHosts()).toEqual({ hosts: ['web'], unread: null, problem: null });
    await rm(bin, { recursive: true });
  });

  it('reach no host without the program, and say so', async () => {
    const host = await shellsWith();
    const { hosts, problem } = await host.sshHosts();
    expect(hosts).toEqual([]);
    expect(problem).toMatch(/^There is no program "ssh"/);
    const messages: unknown[] = [];
    const connection = await host
      .of(THIS_MACHINE)
      .connect(atWeb, { ...listener, send: (message) => messages.push(message) }, new AbortController().signal);
    connection.say({ type: 'attach', columns: 80, rows: 24 });
    await expect.poll(() => messages).toEqual([{ type: 'error', message: problem }]);
    expect(await host.problem()).toBeNull();
  });

  it('are all refused with --no-shell, those over SSH, too', async () => {
    const host = await shellsWith({ allowsHostShell: false });
    const { problem } = await host.sshHosts();
    expect(problem).toContain('--no-shell');
    for (const place of [atWeb, { kind: 'host', targetId: 'host' } as const]) {
      const connecting = host.of(THIS_MACHINE).connect(place, listener, new AbortController().signal);
      await expect(connecting).rejects.toThrow('--no-shell');
    }
  });
});
