/**
 * How containers reach the engine that started them: the address that they get, and the address where the engine must
 * listen.
 */
import { once } from 'node:events';
import { BlockList, createServer, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import * as z from 'zod';
import type { ContainerEngine } from './discovery.ts';
import { elsewhere } from './compatibility.ts';

/** An address that serves the worker protocol to containers only. */
export interface Door {
  /** The address of this machine to listen at. */
  listenAt: string;
  /** The host name or address that containers use. */
  name: string;
  /** Whether a connection from this address may come from one of our containers. */
  mayEnter(remoteAddress: string): boolean;
}

/** `host`: containers share the network of this machine, including its loopback address. */
export type HostAccess = { kind: 'host' } | { kind: 'door'; door: Door; extraHosts: string[] };

const LOOPBACK = '127.0.0.1';
const plain = (address: string): string => address.replace(/^::ffff:/, '');

const networkSchema = z.object({
  IPAM: z
    .object({
      Config: z.array(z.object({ Gateway: z.string().optional(), Subnet: z.string().optional() })).nullish(),
    })
    .optional(),
});

/** The gateway and the subnet of the default network for containers; null without such a network. */
async function defaultNetwork({ docker, name }: ContainerEngine): Promise<{ gateway: string; subnet: string } | null> {
  const network = networkSchema.parse(await docker.getNetwork(name === 'Podman' ? 'podman' : 'bridge').inspect());
  for (const { Gateway = '', Subnet = '' } of network.IPAM?.Config ?? []) {
    const [gateway = ''] = Gateway.split('/');
    if (isIPv4(gateway)) return { gateway, subnet: Subnet };
    // An engine without a first container may have no gateway yet. It will use the first address.
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

/** The network addresses of the machine that this engine runs on. */
export interface HostNetwork {
  /** The addresses except loopback ones. Interfaces without a carrier may be missing. */
  addresses(): string[];
  /** Whether the address belongs to this machine, even on a disconnected interface. */
  canListen(address: string): Promise<boolean>;
  /** Whether the person allows other machines to reach this engine. */
  isOpen: boolean;
}

export const hostNetwork = (isOpen: boolean): HostNetwork => ({
  isOpen,
  addresses: () =>
    Object.values(networkInterfaces())
      .flat()
      .filter((address) => address !== undefined)
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address),
  async canListen(address) {
    const server = createServer().listen(0, address);
    try {
      await once(server, 'listening');
      return true;
    } catch {
      // The address is not one of this machine, or may not be used: the caller tries another one.
      return false;
    } finally {
      server.close();
    }
  },
});

/**
 * Chooses the narrowest access that works with this engine; a sentence for a person where none works.
 *
 * - An engine in a virtual machine forwards a host name of its own to our loopback address.
 * - On Linux, containers reach the gateway of their bridge, which is an address of this machine. If it is not, Hangar itself runs
 * in a container and may share the bridge.
 * - A rootless Podman has no bridge: its containers share the network of the person who started them.
 * - A rootless Docker has its own network. It only reaches addresses that other machines reach too. The engine listens there only
 * if the person allows other machines.
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
  // Without a bridge only the network of the machine remains.
  if (!rootless && network === null) return { kind: 'host' };
  const at = (address: string, mayEnter: Door['mayEnter']): HostAccess => ({
    kind: 'door',
    door: { listenAt: address, name: address, mayEnter },
    extraHosts: [],
  });
  // A rootful Podman creates its bridge with the first container. Listening there works only after that.
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
