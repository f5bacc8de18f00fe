/**
 * An OpenSSH server of a test's own on loopback, with host keys and authorized keys of its own, that stands for that of
 * a Pod.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../core/until.ts';
import { freePort } from '../http/freePort.ts';

const run = promisify(execFile);

export interface TestKey {
  /** Of the private half. */
  path: string;
  /** A line as for authorized_keys. */
  line: string;
  fingerprint: string;
}

export async function makeKey(folder: string, name: string, passphrase = '', type = 'ed25519'): Promise<TestKey> {
  const path = join(folder, name);
  // One round: to open it again takes no time worth waiting for.
  await run('ssh-keygen', ['-q', '-t', type, '-a', '1', '-N', passphrase, '-C', name, '-f', path]);
  const { stdout } = await run('ssh-keygen', ['-l', '-f', `${path}.pub`]);
  return { path, line: (await readFile(`${path}.pub`, 'utf8')).trim(), fingerprint: stdout.split(' ')[1]! };
}

export interface TestSshd extends AsyncDisposable {
  readonly folder: string;
  /** Of the relay in front of it, through which connections can be cut. */
  readonly port: number;
  readonly username: string;
  /** What it has said. */
  log(): string;
  /** How many connections have been made to it. */
  connections(): number;
  /** Every connection breaks. */
  cut(): void;
  /** The connections of now carry nothing any more, and stay open: so they are after a sleep of either side. */
  freeze(): void;
  /**
   * Carries `bytes` more from clients to it, then nothing. Resolves when that is reached, with the function that lets
   * all go on.
   */
  holdAfter(bytes: number): Promise<() => void>;
  /** Whether new connections are let through; otherwise they break at once. */
  letIn(open: boolean): void;
  authorize(...keys: TestKey[]): Promise<void>;
  hostKey(): TestKey;
  /** Goes on at the same port with another host key. */
  changeHostKey(): Promise<void>;
}

interface Relay {
  server: Server;
  port: number;
  cut(): void;
  freeze(): void;
  holdAfter(bytes: number): Promise<() => void>;
  count: number;
  open: boolean;
}

async function startRelay(to: () => number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let left = Infinity;
  let onHold = (): void => undefined;
  const server = createServer((client) => {
    relay.count++;
    const onward = connect({ port: to(), host: '127.0.0.1' });
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        onward.destroy();
      });
    }
    if (!relay.open) client.destroy();
    client.pipe(onward).pipe(client);
    client.on('data', ({ length }: Buffer) => {
      left -= length;
      if (left > 0) return;
      client.pause();
      onHold();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay: Relay = {
    server,
    port: (server.address() as AddressInfo).port,
    count: 0,
    open: true,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    holdAfter(bytes) {
      left = bytes;
      const goOn = (): void => {
        left = Infinity;
        for (const socket of sockets) socket.resume();
      };
      return new Promise((resolve) => (onHold = () => resolve(goOn)));
    },
  };
  return relay;
}

/**
 * `lines`: more of its configuration, without `SetEnv`, of which sshd uses only the first line. `env`: variables of its
 * sessions.
 */
export async function startSshd(lines: string[] = [], env: Record<string, string> = {}): Promise<TestSshd> {
  const folder = await mkdtemp(join(tmpdir(), 'hangar-sshd-'));
  // It keeps those who sign in apart from itself, and wants this folder for that.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  let hostKey = await makeKey(folder, 'host-1');
  let keys = 1;
  let port = 0;
  let log = '';
  let child: ReturnType<typeof spawn> | null = null;
  const authorized = join(folder, 'authorized_keys');
  await writeFile(authorized, '', { mode: 0o600 });

  /** Whether it listens at that port now; false where another program has taken it meanwhile. */
  async function listensAt(free: number): Promise<boolean> {
    port = free;
    const config = join(folder, 'config');
    await writeFile(
      config,
      [
        `ListenAddress 127.0.0.1:${port}`,
        `HostKey ${hostKey.path}`,
        `AuthorizedKeysFile ${authorized}`,
        // As for shells of this computer: terminals/plainHome.ts.
        `SetEnv ${[`HOME=${folder}`, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)].join(' ')}`,
        'PidFile none',
        'StrictModes no',
        'UsePAM no',
        'PrintMotd no',
        'PrintLastLog no',
        'LogLevel VERBOSE',
        ...['PasswordAuthentication no', 'KbdInteractiveAuthentication no', 'Subsystem sftp internal-sftp'].filter(
          (line) => !lines.some((other) => other.startsWith(line.split(' ')[0]!)),
        ),
        ...lines,
      ].join('\n'),
    );
    log = '';
    const sshd = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    child = sshd;
    sshd.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    let ended = false;
    sshd.once('close', () => (ended = true));
    await until('sshd to listen or to end', () => ended || log.includes('Server listening'));
    if (!ended) return true;
    child = null;
    if (log.includes('Address already in use')) return false;
    throw new Error(`sshd has ended: ${log}`);
  }

  async function start(): Promise<void> {
    while (!(await listensAt(await freePort())));
  }

  async function stop(): Promise<void> {
    if (child === null) return;
    const ended = once(child, 'close');
    relay.cut();
    child.kill('SIGTERM');
    await ended;
    child = null;
  }

  const relay = await startRelay(() => port);
  await start();
  return {
    folder,
    port: relay.port,
    username: userInfo().username,
    log: () => log,
    connections: () => relay.count,
    cut: () => relay.cut(),
    freeze: () => relay.freeze(),
    holdAfter: (bytes) => relay.holdAfter(bytes),
    letIn: (open) => (relay.open = open),
    authorize: (...allowed) => writeFile(authorized, allowed.map(({ line }) => `${line}\n`).join('')),
    hostKey: () => hostKey,
    async changeHostKey() {
      await stop();
      hostKey = await makeKey(folder, `host-${++keys}`);
      await start();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      relay.cut();
      relay.server.close();
      await once(relay.server, 'close');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
