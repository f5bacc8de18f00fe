import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../core/until.ts';
import { startRelay, type Relay } from '../http/relay.ts';

/** A network of the test's own: a machine in no network, which has only its loopback address. */
export interface OwnNetwork extends AsyncDisposable {
  /** A program, with its arguments, that runs another one in it. */
  readonly under: readonly [program: string, ...args: string[]];
  /** A process in it, for as long as it is there. */
  readonly holderPid: number;
  /** The names of its interfaces. */
  interfaces(): string[];
  /** Makes a port of its loopback address reachable from the test. */
  relayTo(port: number): Promise<Relay>;
}

/**
 * Passes what is connected at a socket in the file system, which all networks share, on to a port of the loopback
 * address.
 */
const PASS_ON = `
const net = require('node:net');
const [socketPath, port] = process.argv.slice(1);
net.createServer((near) => {
  const far = net.connect(Number(port), '127.0.0.1');
  for (const [one, other] of [[near, far], [far, near]]) {
    one.pipe(other);
    one.on('error', () => other.destroy());
  }
}).listen(socketPath, () => console.log('listening'));
`;

/** Of Linux, and for root. */
export async function makeNetwork(): Promise<OwnNetwork> {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-network-'));
  const outside = readlinkSync('/proc/self/ns/net');
  // The network is there for as long as somebody is in it: this one until the test ends, in whatever way.
  const script = 'busybox ip link set lo up && echo up && exec cat';
  const holder = spawn('unshare', ['--net', 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = [once(holder, 'exit')];
  const started: ChildProcess[] = [holder];
  const relays: Relay[] = [];
  await once(holder.stdout, 'data');
  const namespace = `/proc/${holder.pid}/ns/net`;
  await until('the network to be another one', () => readlinkSync(namespace) !== outside);
  const under = ['nsenter', `--net=${namespace}`] as const;
  return {
    under,
    holderPid: holder.pid ?? 0,
    interfaces() {
      const [program, ...args] = [...under, 'busybox', 'ls', '/proc/self/net/dev_snmp6'];
      return execFileSync(program, args, { encoding: 'utf8' })
        .split('\n')
        .filter((name) => name !== '');
    },
    async relayTo(port) {
      const socketPath = join(folder, `${port}.sock`);
      const args = [...under.slice(1), process.execPath, '-e', PASS_ON, socketPath, String(port)];
      const passing = spawn(under[0], args, { stdio: ['ignore', 'pipe', 'inherit'] });
      started.push(passing);
      ended.push(once(passing, 'exit'));
      await once(passing.stdout, 'data');
      const relay = await startRelay(`unix://${socketPath}`);
      relays.push(relay);
      return relay;
    },
    async [Symbol.asyncDispose]() {
      for (const relay of relays) await relay.cut();
      for (const child of started) child.kill('SIGKILL');
      await Promise.all(ended);
      rmSync(folder, { recursive: true });
    },
  };
}
