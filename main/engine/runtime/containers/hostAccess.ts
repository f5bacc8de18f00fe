/** How a container reaches the engine that started it: which address it is given, and where the engine has to listen for it. */
import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ContainerEngine } from './containerEngine.ts';
import { elsewhere } from './unfit.ts';

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

/** The addresses of this machine that others could reach it by. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flat()
    .filter((address) => address?.family === 'IPv4' && !address.internal)
    .map((address) => address!.address);

/**
 * The narrowest way that works with this engine; a sentence for a person where there is none.
 *
 * An engine in a virtual machine forwards a name of its own to our loopback address. On Linux, containers reach the gateway of
 * their bridge. A rootless Podman has no bridge of ours: its containers share the network of the person who started them. A
 * rootless Docker is in a network of its own, out of which connections come as from this machine itself.
 */
export async function findHostAccess(engine: ContainerEngine, own = ownAddresses()): Promise<HostAccess | string> {
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
  // A rootful Podman has no bridge until the first container is on it.
  if (network && (own.includes(network.gateway) || name === 'Podman')) {
    const { gateway, subnet } = network;
    return { kind: 'door', door: { listenAt: gateway, name: gateway, mayEnter: within(subnet, []) }, extraHosts: [] };
  }
  const [address] = own;
  if (address === undefined) {
    return `Containers of this ${name} reach this machine by its address in a network, and it is in none. Connect it to one.`;
  }
  // Hangar may be in a container itself, beside those that it starts.
  const mayEnter = within(network?.subnet ?? '', own);
  return { kind: 'door', door: { listenAt: address, name: address, mayEnter }, extraHosts: [] };
}
