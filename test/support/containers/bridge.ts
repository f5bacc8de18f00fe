/**
 * What a container engine of the tests stands on: a folder and a bridge of its own. Its network rules are switched off,
 * so that it changes nothing of the machine's. What a test run that was killed has left is removed by the next one.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = 'hangar-docker-';
/** A folder is named after the process that made it. */
const OWNED = new RegExp(`^${FOLDER}(\\d+)-`);
const BRIDGE = 'hgr-';
/** Of the processes that a start needs: making mounts and making networks. */
const NEEDED_CAPABILITIES = [21n, 12n];

export interface Ground {
  readonly folder: string;
  readonly bridge: string;
  /** Ends and removes whatever is still on it. */
  clear(): void;
}

/** How many networks are tried. */
const TRIES = 100;

const ip = (...args: string[]) => spawnSync('busybox', ['ip', ...args], { encoding: 'utf8' });
/** Answers why it failed; null if it did not. */
const changeNetwork = (...args: string[]): string | null => {
  const { status, stderr, error } = ip(...args);
  return status === 0 ? null : (error?.message ?? stderr).trim();
};

/** How many network interfaces have an address in 198.18.`third`.0/24. */
const usersOf = (third: number): number =>
  ip('-4', 'address', 'show')
    .stdout.split('\n')
    .filter((line) => line.includes(` 198.18.${third}.`)).length;

/**
 * Gives the bridge a network that no other one has, out of the range that is kept for tests of networks: of two bridges
 * with one network, the containers of one reach nothing. Answers why there can be none; null once it has one.
 */
function giveNetwork(name: string): string | null {
  for (let tries = 0; tries < TRIES; tries++) {
    const third = randomBytes(1)[0]!;
    if (usersOf(third) > 0) continue;
    const address = `198.18.${third}.1/24`;
    const failed = changeNetwork('address', 'add', address, 'dev', name);
    if (failed !== null) return failed;
    // Another process may have taken it at the same moment.
    if (usersOf(third) === 1) return null;
    changeNetwork('address', 'del', address, 'dev', name);
  }
  return `no network in 198.18.0.0/16 was free in ${TRIES} tries`;
}

/** Answers why there can be no bridge; null once it is up. */
const makeBridge = (name: string): string | null =>
  changeNetwork('link', 'add', name, 'type', 'bridge') ?? giveNetwork(name) ?? changeNetwork('link', 'set', name, 'up');

/** Why this process may not make what an engine stands on; null when it may. */
export function whyNoGround(): string | null {
  const effective = /^CapEff:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  if (!NEEDED_CAPABILITIES.every((bit) => (BigInt(`0x${effective}`) >> bit) % 2n === 1n)) {
    return 'root may neither mount nor make networks here, as in a container without privileges';
  }
  if (!readFileSync('/proc/self/mounts', 'utf8').includes(' cgroup')) return 'no cgroups are mounted';
  const name = `${BRIDGE}${randomBytes(4).toString('hex')}`;
  const failed = makeBridge(name);
  changeNetwork('link', 'del', name);
  return failed === null ? null : `a network bridge could not be made: ${failed}`;
}

/** Processes that were started for this folder, and all that they have started. */
function processesOf(folder: string): number[] {
  const children = new Map<number, number[]>();
  const numbers: number[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
      children.set(parent, [...(children.get(parent) ?? []), pid]);
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)) numbers.push(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  for (const pid of numbers) numbers.push(...(children.get(pid) ?? []).filter((child) => !numbers.includes(child)));
  return numbers;
}

/** The network interface of a folder is named after it. */
const bridgeOf = (folder: string): string => `${BRIDGE}${folder.slice(-6)}`;

function clear(folder: string): void {
  for (const pid of processesOf(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended with another one.
    }
  }
  const mounted = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((at) => at.startsWith(folder));
  // The last one mounted may lie within another.
  for (const at of mounted.reverse()) spawnSync('umount', ['-l', at]);
  changeNetwork('link', 'del', bridgeOf(folder));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** What runs that are no more have left. */
function clearLeft(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = OWNED.exec(name)?.[1];
    if (owner !== undefined && !existsSync(`/proc/${owner}`)) clear(join(tmpdir(), name));
  }
}

export function makeGround(): Ground {
  clearLeft();
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  const bridge = bridgeOf(folder);
  const failed = makeBridge(bridge);
  if (failed !== null) {
    clear(folder);
    throw new Error(`A network bridge for containers could not be made: ${failed}`);
  }
  return { folder, bridge, clear: () => clear(folder) };
}
