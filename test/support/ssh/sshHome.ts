/** A home folder with settings of SSH of the test's own, and the real `ssh` program with these settings. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestKey, TestSshd } from './sshd.ts';

export interface SshHome {
  readonly home: string;
  /** The file of its settings. */
  readonly config: string;
  /** A folder for PATH. */
  readonly programs: string;
  /** The program `ssh` in it. */
  readonly program: string;
}

/**
 * Settings in which each of `hosts` is this server, and `key` the one to sign in with. The folder goes with the server.
 */
export async function makeSshHome(sshd: TestSshd, key: TestKey, hosts: readonly string[]): Promise<SshHome> {
  const home = join(sshd.folder, 'home');
  const programs = join(sshd.folder, 'programs');
  await mkdir(join(home, '.ssh'), { recursive: true });
  await mkdir(programs);
  const config = join(home, '.ssh', 'config');
  const lines = [
    `Host ${hosts.join(' ')}`,
    '  HostName 127.0.0.1',
    `  Port ${sshd.port}`,
    'Host *',
    `  User ${sshd.username}`,
    `  IdentityFile ${key.path}`,
    '  IdentitiesOnly yes',
    `  UserKnownHostsFile ${join(home, '.ssh', 'known_hosts')}`,
    '',
  ];
  await writeFile(config, lines.join('\n'));
  const { stdout } = await promisify(execFile)('which', ['ssh']);
  // The program reads the home folder of the user's account, whatever HOME says.
  const program = join(programs, 'ssh');
  await writeFile(program, `#!/bin/sh\nexec '${stdout.trim()}' -F '${config}' "$@"\n`);
  await chmod(program, 0o755);
  return { home, config, programs, program };
}
