/** The person's `ssh` program in a terminal of this computer, at a real OpenSSH server. */
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { skipFor } from '../../../../test/support/core/skip.ts';
import { makeKey, startSshd, type TestSshd } from '../../../../test/support/ssh/sshd.ts';
import { makeSshHome, type SshHome } from '../../../../test/support/ssh/sshHome.ts';
import { createLocalShells, whyNoPty, type LocalShell } from '../../../../test/support/terminals/localShells.ts';
import { findSsh } from './loginShell.ts';
import { createSshShell } from './sshShell.ts';

const hasSsh = findSsh(process.env) !== null && existsSync('/usr/sbin/sshd');
const whyNot = whyNoPty() ?? (hasSsh ? null : 'it needs the client and the server of OpenSSH');

describe('a terminal of the ssh program', skipFor(whyNot), () => {
  let sshd: TestSshd;
  let home: SshHome;
  const shells = createLocalShells();

  beforeAll(async () => {
    sshd = await startSshd();
    const key = await makeKey(sshd.folder, 'locked', 'open sesame');
    await sshd.authorize(key);
    home = await makeSshHome(sshd, key, ['web']);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await shells.hangUpAll();
  });
  afterAll(() => sshd[Symbol.asyncDispose]());

  const begin = (destination: string) =>
    shells.open((spawn, onOutput) =>
      createSshShell({
        spawn,
        program: home.program,
        mask: 0o022,
        destination,
        size: { columns: 200, rows: 24 },
        onOutput,
      }),
    );

  /** Answers what it asks, the host key only at the first time. */
  async function signIn({ shell, shows }: LocalShell, isFirst: boolean): Promise<void> {
    if (isFirst) {
      await shows('continue connecting');
      shell.write('yes\r');
    }
    await shows('passphrase for key');
    shell.write('open sesame\r');
    // What is typed before the prompt is dropped with the end of the question.
    await shows(/[#$] $/);
    shell.write('echo there-$((40+2))\r');
    await shows('there-42');
  }

  it('asks for the host key and the passphrase in the terminal, and ends with the code of the shell there', async () => {
    // As a desktop may have it, whose window would not be where the page is.
    vi.stubEnv('SSH_ASKPASS', '/bin/false');
    vi.stubEnv('SSH_ASKPASS_REQUIRE', 'force');
    const terminal = begin('web');
    const { shell } = terminal;
    await signIn(terminal, true);
    expect(shell.command.slice(1)).toEqual(['--', 'web']);
    expect(await shell.programs()).toBeNull();
    shell.write('exit 3\r');
    expect(await shell.ended).toEqual({ exitCode: 3, reason: 'The shell exited with code 3.' });
    expect(await shell.programs()).toEqual([]);
  });

  it('reaches a user at an address and a port, and says that the connection was lost', async () => {
    const terminal = begin(`${sshd.username}@[127.0.0.1]:${sshd.port}`);
    await signIn(terminal, false);
    expect(terminal.shell.command.slice(1)).toEqual(['-p', `${sshd.port}`, '--', `${sshd.username}@127.0.0.1`]);
    sshd.cut();
    const { exitCode, reason } = await terminal.shell.ended;
    expect(exitCode).toBeNull();
    expect(reason).toMatch(/^ssh did not reach .*, or lost the connection/);
  });

  it('is hung up with the connection', async () => {
    const terminal = begin('web');
    await signIn(terminal, false);
    await terminal.shell.hangUp();
    expect((await terminal.shell.ended).reason).toMatch(/^ssh /);
  });

  it.each(['-oProxyCommand=touch made', 'web; touch made', '$(touch made)', 'web\ntouch made', ''])(
    'is not opened for %j',
    (destination) => {
      expect(() => begin(destination)).toThrow('is no host for ssh');
    },
  );

  it('passes the destination on as it is, whatever a shell would make of it', async () => {
    // A name that is refused before it gets here would prove nothing: this one has what is allowed and unusual.
    const { shell, shows } = begin('~a^b=c%d');
    await shows('~a^b=c%d');
    expect(await shell.ended).toMatchObject({ exitCode: null });
  });

  it('is not found where PATH has none, nor by a relative PATH', () => {
    expect(findSsh({ PATH: home.programs })).toBe(home.program);
    expect(findSsh({ PATH: join('/no', 'such', 'folder:.') })).toBeNull();
    expect(findSsh({})).toBeNull();
    chmodSync(home.program, 0o644);
    expect(findSsh({ PATH: home.programs })).toBeNull();
    chmodSync(home.program, 0o755);
  });
});
