/**
 * A keyring of the tests' own: gnome-keyring on a D-Bus of its own, with a folder of its own, so that nobody's keys are
 * touched.
 */
import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { ChildProgram } from '../../../main/app/platform/childProgram.ts';
import { until } from '../../support/core/until.ts';

const keychainProgram = resolve(import.meta.dirname, '../../../main/keychain.ts');
const runs = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

/** Why there can be no keyring here; null where there can. */
export function reasonForNoKeyring(): string | null {
  if (process.platform !== 'linux') return 'gnome-keyring is a program of Linux';
  const missing = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'].filter((program) => !runs(program));
  if (missing.length > 0) return `${missing.join(', ')} not installed`;
  try {
    createRequire(import.meta.url)('keytar');
    return null;
  } catch {
    return 'keytar is not installed: it needs g++, make and libsecret-1-dev when npm installs it';
  }
}

/** No services that start by themselves: a prompt must not come up on the screen of whoever runs the tests. */
const busConfig = (folder: string): string => `<busconfig>
  <type>session</type>
  <listen>unix:dir=${folder}</listen>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`;

export interface Keyring extends AsyncDisposable {
  /** What makes a program use this bus, and no other. */
  readonly env: Record<string, string>;
  lock(): void;
  /** Unlocks it as signing in does. */
  unlock(): Promise<void>;
  /** It keeps its name on the bus, and answers nothing. */
  hang(): void;
  goOn(): void;
}

/** `withKeyring: false`: a bus that nobody answers on. */
export async function startKeyring({ withKeyring = true } = {}): Promise<Keyring> {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-keyring-'));
  const at = (name: string): string => {
    mkdirSync(join(folder, name), { mode: 0o700 });
    return join(folder, name);
  };
  const config = join(folder, 'bus.conf');
  writeFileSync(config, busConfig(folder));
  const bus = spawn('dbus-daemon', ['--nofork', '--print-address', `--config-file=${config}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = (await once(createInterface({ input: bus.stdout }), 'line')) as [string];
  const control = at('control');
  const env = {
    DBUS_SESSION_BUS_ADDRESS: address,
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
    HOME: at('home'),
    XDG_DATA_HOME: at('data'),
    XDG_RUNTIME_DIR: at('run'),
  };
  const all = { ...process.env, ...env };
  let daemon: ChildProcess | null = null;

  async function unlock(): Promise<void> {
    const flags = ['--foreground', '--unlock', '--components=secrets', `--control-directory=${control}`];
    if (daemon) {
      daemon.kill();
      await once(daemon, 'exit');
    }
    const started = (daemon = spawn('gnome-keyring-daemon', flags, { env: all, stdio: ['pipe', 'ignore', 'ignore'] }));
    started.stdin?.end('the password of the keyring');
    await until(
      'the keyring to be unlocked',
      () => call('ReadAlias', 'string:default').stdout,
      (stdout) => /login"$/m.test(stdout),
    );
  }

  const call = (method: string, ...args: string[]) =>
    spawnSync(
      'dbus-send',
      [
        '--session',
        '--print-reply',
        '--dest=org.freedesktop.secrets',
        '/org/freedesktop/secrets',
        `org.freedesktop.Secret.Service.${method}`,
        ...args,
      ],
      { env: all, encoding: 'utf8' },
    );

  const keyring: Keyring = {
    env,
    unlock,
    lock() {
      const { status, stderr } = call('Lock', 'array:objpath:/org/freedesktop/secrets/collection/login');
      if (status !== 0) throw new Error(stderr);
    },
    hang: () => void daemon?.kill('SIGSTOP'),
    goOn: () => void daemon?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      for (const child of [daemon, bus]) {
        if (child === null || child.exitCode !== null || child.signalCode !== null) continue;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    if (withKeyring) await unlock();
    return keyring;
  } catch (thrown) {
    await keyring[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** Starts the program that speaks with the keychain, on the bus that `env` names. */
export function forkKeychain(env: Record<string, string>): ChildProgram {
  const child = fork(keychainProgram, [], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    get pid() {
      return child.pid;
    },
    send: (message) => void child.send(message, () => undefined),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.on('exit', (code, signal) => listener({ code, signal })),
    kill: (signal) => void child.kill(signal),
  };
}
