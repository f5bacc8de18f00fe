/** How a container reaches the engine that started it: which address it is given, and where the engine has to listen for it. */
import { once } from 'node:events';
import { BlockList, createServer, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ContainerEngine } from './discovery.ts';
import { elsewhere } from './compatibility.ts';

/** Where the worker protocol is served to containers, and to nobody else. */
export interface Door {
  /** Address of this machine to listen at. */
  listenAt: string;
  /** Name or address by which containers reach it. */
  name: string;
  /** Whether whoever connects from there may be a container of ours. */
  mayEnter(remoteAddress: string): boolean;
}

/** `host`: containers share the network of this machine, and its loopback address with it. */
export type HostAccess = { kind: 'host' } | { kind: 'door'; door: Door; extraHosts: string[] };

const LOOPBACK = '127.0.0.1';
const plain = (address: string): string => address.replace(/^::ffff:/, '');

interface Ipam {
  Gateway?: string;
  Subnet?: string;
}

/** The gateway and the addresses of the network that containers are on unless told otherwise; null where there is none. */
async function defaultNetwork({ docker, name }: ContainerEngine): Promise<{ gateway: string; subnet: string } | null> {
  const network = (await docker.getNetwork(name === 'Podman' ? 'podman' : 'bridge').inspect()) as {
    IPAM?: { Config?: Ipam[] | null };
  };
  for (const { Gateway = '', Subnet = '' } of network.IPAM?.Config ?? []) {
    const gateway = Gateway.split('/')[0]!;
    if (isIPv4(gateway)) return { gateway, subnet: Subnet };
    // An engine that has not run a container yet may not have chosen one: it takes the first address.
    const first = /^(\d+\.\d+\.\d+)\.0\/\d+$/.exec(Subnet);
    if (first) return { gateway: `${first[1]}.1`, subnet: Subnet };
  }
  return null;
}

function within(subnet: string, also: readonly string[]): (remoteAddress: string) => boolean {
  const allowed = new BlockList();
  const [network, bits] = subnet.split('/');
  if (network !== undefined && bits !== undefined) allowed.addSubnet(network, Number(bits), 'ipv4');
  for (const address of also) allowed.addAddress(address, 'ipv4');
  return (remoteAddress) => allowed.check(plain(remoteAddress), 'ipv4');
}

/** What the machine that this engine runs on has for containers to connect to. */
export interface HostNetwork {
  /** Its addresses on other interfaces than the loopback one. Those of interfaces without a carrier may be missing. */
  addresses(): string[];
  /** Whether an address is one of this machine's, also on an interface that nothing is connected to. */
  canListen(address: string): Promise<boolean>;
  /** The person lets other machines reach this engine. */
  isOpen: boolean;
}

export const hostNetwork = (isOpen: boolean): HostNetwork => ({
  isOpen,
  addresses: () =>
    Object.values(networkInterfaces())
      .flat()
      .filter((address) => address?.family === 'IPv4' && !address.internal)
      .map((address) => address!.address),
  async canListen(address) {
    const server = createServer().listen(0, address);
    try {
      await once(server, 'listening');
      return true;
    } catch {
      return false;
    } finally {
      server.close();
    }
  },
});

/**
 * The narrowest way that works with this engine; a sentence for a person where there is none.
 *
 * An engine in a virtual machine forwards a name of its own to our loopback address. On Linux, containers reach the gateway of
 * their bridge, which is an address of this machine whether or not a container is on it. Where it is not, Hangar runs in a
 * container itself, and may share the bridge. A rootless Podman has no bridge of ours: its containers share the network of the
 * person who started them. A rootless Docker is in a network of its own, out of which only the addresses are reached that other
 * machines reach too: those are listened at only where the person lets other machines in.
 */
export async function findHostAccess(engine: ContainerEngine, host: HostNetwork): Promise<HostAccess | string> {
  const { name, place, inMachine, rootless } = engine;
  const far = elsewhere(place);
  if (far !== null) return far;
  if (inMachine) {
    const internal = name === 'Podman' ? 'host.containers.internal' : 'host.docker.internal';
    const door = { listenAt: LOOPBACK, name: internal, mayEnter: within('', [LOOPBACK]) };
    return { kind: 'door', door, extraHosts: name === 'Podman' ? [] : [`${internal}:host-gateway`] };
  }
  if (rootless && name === 'Podman') return { kind: 'host' };
  const network = rootless ? null : await defaultNetwork(engine).catch(() => null);
  // Without a bridge there is only the network of the machine.
  if (!rootless && network === null) return { kind: 'host' };
  const at = (address: string, mayEnter: Door['mayEnter']): HostAccess => ({
    kind: 'door',
    door: { listenAt: address, name: address, mayEnter },
    extraHosts: [],
  });
  // A rootful Podman makes its bridge with the first container: it can be listened at from then on.
  if (network && (name === 'Podman' || (await host.canListen(network.gateway)))) {
    return at(network.gateway, within(network.subnet, []));
  }
  const addresses = host.addresses();
  const shared = network ? addresses.find(within(network.subnet, [])) : undefined;
  const address = shared ?? (host.isOpen ? addresses[0] : undefined);
  if (address !== undefined) return at(address, within(network?.subnet ?? '', addresses));
  if (network) {
    return (
      `Containers of this ${name} connect to ${network.gateway}, which is no address of the container that Hangar runs in. ` +
      `Run Hangar on the machine itself, or in a container on the default network of ${name}.`
    );
  }
  return (
    `Containers of a rootless ${name} connect to this machine only at an address that other machines reach too. ` +
    'Allow that (npm run serve -- --host ADDRESS --allow-lan, while the machine is in a network), or use Podman, or Docker with root.'
  );
}
