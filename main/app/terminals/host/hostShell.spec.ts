/** Shells of this computer, in real terminals of the system. */
import { homedir } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { skipFor } from '../../../../test/support/core/skip.ts';
import { until } from '../../../../test/support/core/until.ts';
import { createLocalShells, whyNoPty } from '../../../../test/support/terminals/localShells.ts';
import { makePlainHome, type PlainHome } from '../../../../test/support/terminals/plainHome.ts';
import { createHostShell } from './hostShell.ts';
import { loginShell, type ShellStart } from './loginShell.ts';

const whyNot = whyNoPty() ?? (process.platform === 'win32' ? 'it needs sh' : null);

describe('a shell of this computer', skipFor(whyNot), () => {
  const shells = createLocalShells();
  let home: PlainHome;
  beforeAll(async () => {
    home = await makePlainHome();
  });
  afterEach(shells.hangUpAll);
  afterAll(() => home[Symbol.asyncDispose]());

  const begin = (start: Partial<ShellStart> = {}) =>
    shells.open((spawn, onOutput) =>
      createHostShell({
        spawn,
        start: { ...loginShell({ ...process.env, HOME: home.path, PS1: '$ ', SHELL: '/bin/sh' }, 0o027), ...start },
        size: { columns: 80, rows: 24 },
        onOutput,
      }),
    );
  const plain = (line: string): Partial<ShellStart> => ({ args: ['-c', line, 'sh'] });

  it('is the login shell in the home folder, with the umask of the person and a terminal of its own', async () => {
    const { shell, shows } = begin();
    expect(shell.command[0]).toMatch(/sh$/);
    shell.write('printf "%s|%s|%s|%s|\\n" "$PWD" "$(umask)" "$TERM" "$(test -t 0 && echo a-terminal)"\r');
    await shows(`${homedir()}|0027|xterm-256color|a-terminal|`);
  });

  it('keeps what belongs to Hangar from its environment', () => {
    const env = { HANGAR_API_KEY: 'rpa_secret', HANGAR_HOME: '/data', ELECTRON_RUN_AS_NODE: '1', EDITOR: 'vi' };
    const passed = loginShell(env, 0o022).env;
    expect(passed).toMatchObject({ HANGAR_HOME: '/data', EDITOR: 'vi', TERM_PROGRAM: 'Hangar' });
    expect(Object.keys(passed)).not.toEqual(expect.arrayContaining(['HANGAR_API_KEY']));
    expect(passed).not.toHaveProperty('ELECTRON_RUN_AS_NODE');
    expect(passed['LANG']).toMatch(/UTF-8$/);
    expect(loginShell({ LC_ALL: 'de_DE.UTF-8' }, 0).env).not.toHaveProperty('LANG');
  });

  it('begins in its size and learns another', async () => {
    const { shell, shows } = begin();
    shell.write('stty size\r');
    await shows('24 80');
    shell.resize(100, 30);
    shell.write('stty size\r');
    await shows('30 100');
  });

  it('names the programs that run in it, also in the background, and none of another session', async () => {
    const { shell, shows } = begin();
    shell.write('sleep 4711 & echo begun-$((1+1))\r');
    await shows('begun-2');
    await until('the program in the list', shell.programs, (programs) => programs?.join() === 'sleep 4711');
  });

  it('knows the folder that it works in, and the next one begins there', async () => {
    const { shell, shows } = begin();
    shell.write('cd /usr && printf "\\033]7;file:///usr\\007" && echo moved-$((1+1))\r');
    await shows('moved-2');
    expect(shell.folder?.()).toBe('/usr');
    expect(loginShell({}, 0, '/usr').cwd).toBe('/usr');
    expect(loginShell({}, 0, '/no/such/folder').cwd).toBe(homedir());
  });

  it('says how it ended: by a code, or by a signal', async () => {
    expect(await begin(plain('exit 7')).shell.ended).toEqual({
      exitCode: 7,
      reason: 'The shell exited with code 7.',
    });
    expect(await begin(plain('kill -9 $$')).shell.ended).toEqual({
      exitCode: null,
      reason: 'The shell was ended by SIGKILL.',
    });
  });

  it('reports all output before its end, and nothing is lost of much', async () => {
    const { shell, text } = begin(plain('seq 1 20000; echo the-end'));
    await shell.ended;
    expect(text().endsWith('20000\r\nthe-end\r\n')).toBe(true);
    expect(text().match(/\n/g)).toHaveLength(20_001);
  });

  it('blocks while its output is paused', async () => {
    const { shell, shows, text } = begin(plain('read x; seq 1 200000; echo the-end'));
    shell.hold(true);
    shell.write('\r');
    await until('it to run', shell.programs, (programs) => programs?.some((line) => line.startsWith('seq')) ?? false);
    expect(text()).not.toContain('the-end');
    shell.hold(false);
    await shows('the-end');
  });

  it('is hung up with its programs, and killed if it stays', async () => {
    const { shell, shows } = begin();
    shell.write('echo "pid:$$:"; sleep 4712\r');
    await shows(/pid:\d+:/);
    await shell.hangUp();
    expect((await shell.ended).reason).toMatch(/^The shell (exited|was ended)/);
    const isStubborn = begin(plain('trap "" HUP; echo up; while :; do sleep 0.1; done'));
    await isStubborn.shows('up');
    await isStubborn.shell.hangUp();
    expect(await isStubborn.shell.ended).toMatchObject({ reason: 'The shell was ended by SIGKILL.' });
    expect(await isStubborn.shell.programs()).toEqual([]);
  });

  it('whose program cannot be found ends with the code for that', async () => {
    const { shell } = begin({ args: ['-c', 'exec "$0"', '/no/such/shell'] });
    expect((await shell.ended).exitCode).toBe(127);
  });
});
