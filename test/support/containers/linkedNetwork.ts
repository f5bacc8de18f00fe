/** A machine in a network of its own, with a cable to this one that can be pulled out. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { whyNoOwnNetwork } from './engine.ts';
import { makeNetwork, type OwnNetwork } from './network.ts';

export interface LinkedNetwork extends Pick<OwnNetwork, 'under' | keyof AsyncDisposable> {
  /** The address of the machine there, which this one reaches. */
  readonly address: string;
  /** Pulls the cable out there, or puts it back. The address stays. */
  plug(isIn: boolean): void;
}

/** The name of the cable's end over there. */
const FAR = 'cable0';

/** Why it failed; null if it did not. */
function run(program: string, ...args: string[]): string | null {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? null : (error?.message ?? stderr).trim();
}

/** Why no such network can be made here; null when one can. */
export function whyNoLinkedNetwork(): string | null {
  const none = whyNoOwnNetwork();
  if (none !== null) return none;
  if (run('ip', '-V') !== null) {
    return 'ip cannot be found. On Debian: apt-get update && apt-get install -y --no-install-recommends iproute2';
  }
  // A removed end takes the other one with it.
  const [near, far] = [nameOf('a'), nameOf('b')];
  const failed = run('ip', 'link', 'add', near, 'type', 'veth', 'peer', 'name', far);
  run('ip', 'link', 'del', near);
  return failed === null ? null : `a network cable could not be made: ${failed}`;
}

/** A name of an interface, which has at most 15 characters: of this process and by chance. */
const nameOf = (end: string): string => `hgc${end}${process.pid.toString(36)}-${randomBytes(2).toString('hex')}`;

/** Of Linux, and for root. The cable is gone with the network, which ends with the test process at the latest. */
export async function makeLinkedNetwork(): Promise<LinkedNetwork> {
  const network = await makeNetwork();
  const [enter, ...into] = network.under;
  const ip = (...args: string[]): void => {
    const failed = run('ip', ...args);
    if (failed !== null) throw new Error(`ip ${args.join(' ')} failed: ${failed}`);
  };
  const ipThere = (...args: string[]): void => {
    const failed = run(enter, ...into, 'ip', ...args);
    if (failed !== null) throw new Error(`ip ${args.join(' ')} failed in the other network: ${failed}`);
  };
  const near = nameOf('');
  const close = async (): Promise<void> => {
    run('ip', 'link', 'del', near);
    await network[Symbol.asyncDispose]();
  };
  try {
    // A private address, to which Hangar sends keys over http. Four of many, so that hardly anybody else has them.
    const [third = 0, fourth = 0] = randomBytes(2);
    const subnet = `10.254.${third}`;
    const first = (fourth % 64) * 4;
    ip('link', 'add', near, 'type', 'veth', 'peer', 'name', FAR, 'netns', String(network.holderPid));
    ip('address', 'add', `${subnet}.${first + 1}/30`, 'dev', near);
    // Its link-local address of IPv6 would be ready seconds later, and a browser then drops what it loads. Not every
    // kernel has this.
    run('ip', 'link', 'set', 'dev', near, 'addrgenmode', 'none');
    ip('link', 'set', near, 'up');
    ipThere('address', 'add', `${subnet}.${first + 2}/30`, 'dev', FAR);
    ipThere('link', 'set', FAR, 'up');
    return {
      under: network.under,
      address: `${subnet}.${first + 2}`,
      plug: (isIn) => ipThere('link', 'set', FAR, isIn ? 'up' : 'down'),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
