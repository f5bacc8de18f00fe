import { describe, expect, it } from 'vitest';
import { startEngineApi } from '../../../../../test/support/containers/answeringEngine.ts';
import { createEngineFinder, type ContainerEngine } from './discovery.ts';
import { findHostAccess, hostNetwork, type Door, type HostAccess, type HostNetwork } from './hostAccess.ts';

const podman = { Version: '5.4.0', Components: [{ Name: 'Podman Engine', Version: '5.4.0' }] };
const docker = { Version: '29.1.2' };
const bridge = { IPAM: { Config: [{ Subnet: '172.17.0.0/16', Gateway: '172.17.0.1' }] } };

/** A machine with these addresses, and with others on disconnected interfaces. */
const machineAt = (addresses: string[], more: { unconnected?: string[]; isOpen?: boolean } = {}): HostNetwork => ({
  addresses: () => addresses,
  canListen: (address) => Promise.resolve([...addresses, ...(more.unconnected ?? [])].includes(address)),
  isOpen: more.isOpen ?? false,
});

/** The access of containers to such a machine, for an engine with these facts. */
async function accessOf(
  engine: { version: object; info?: object; network?: object; platform?: NodeJS.Platform },
  addresses: string[],
  more: Parameters<typeof machineAt>[1] = {},
): Promise<HostAccess | string> {
  const answers = { '/version': engine.version, '/info': engine.info ?? {} };
  const network = engine.network ?? bridge;
  await using api = await startEngineApi(
    { ...answers, '/networks/bridge': network, '/networks/podman': network },
    'socket',
  );
  const { platform = 'linux' } = engine;
  const discovered = (await createEngineFinder({ platform, env: { DOCKER_HOST: api.host } }).find()) as ContainerEngine;
  return await findHostAccess(discovered, machineAt(addresses, more));
}

const doorOf = (access: HostAccess | string): Door => (access as Extract<HostAccess, { kind: 'door' }>).door;

describe('a container reaches the engine of Hangar', () => {
  it('on Linux at the gateway of its bridge, which lets in the containers on it and nobody else', async () => {
    const door = doorOf(await accessOf({ version: docker }, ['192.0.2.7', '172.17.0.1']));
    expect(door).toMatchObject({ listenAt: '172.17.0.1', name: '172.17.0.1' });
    expect(door.mayEnter('172.17.0.9')).toBe(true);
    expect(door.mayEnter('::ffff:172.17.0.9')).toBe(true);
    expect(door.mayEnter('192.0.2.8')).toBe(false);
    expect(door.mayEnter('127.0.0.1')).toBe(false);
  });

  it('at the gateway of a bridge that no container is on, on a machine that is in no network as on one that is', async () => {
    for (const addresses of [[], ['192.0.2.7']]) {
      const access = await accessOf({ version: docker }, addresses, { unconnected: ['172.17.0.1'], isOpen: true });
      expect(doorOf(access)).toMatchObject({ listenAt: '172.17.0.1', name: '172.17.0.1' });
    }
  });

  it('that runs in a container itself at its address on the bridge, and is told of where it has none', async () => {
    const door = doorOf(await accessOf({ version: docker }, ['192.0.2.7', '172.17.0.5']));
    expect(door).toMatchObject({ listenAt: '172.17.0.5', name: '172.17.0.5' });
    expect(door.mayEnter('172.17.0.9')).toBe(true);
    expect(door.mayEnter('192.0.2.8')).toBe(false);
    expect(await accessOf({ version: docker }, ['192.0.2.7'])).toMatch(
      /172\.17\.0\.1, which is no address.*default network/,
    );
  });

  it.each<[system: string, platform: NodeJS.Platform, info: object]>([
    ['macOS', 'darwin', { OSType: 'linux' }],
    ['Windows', 'win32', { OSType: 'linux' }],
    ['Linux with Docker Desktop', 'linux', { OperatingSystem: 'Docker Desktop' }],
  ])('on %s by host.docker.internal, which arrives at the loopback address', async (_system, platform, info) => {
    const access = await accessOf({ version: docker, info, platform }, ['192.0.2.7']);
    expect(access).toMatchObject({ kind: 'door', extraHosts: ['host.docker.internal:host-gateway'] });
    const door = doorOf(access);
    expect(door).toMatchObject({ listenAt: '127.0.0.1', name: 'host.docker.internal' });
    expect(door.mayEnter('127.0.0.1')).toBe(true);
    expect(door.mayEnter('192.0.2.8')).toBe(false);
  });

  it("in a Podman machine by that machine's own name for it", async () => {
    const access = await accessOf({ version: podman, platform: 'darwin' }, []);
    expect(access).toMatchObject({ kind: 'door', extraHosts: [] });
    expect(doorOf(access)).toMatchObject({ listenAt: '127.0.0.1', name: 'host.containers.internal' });
  });

  it('of a Podman with root at the gateway that its bridge will have, before the first container is on it', async () => {
    const network = { IPAM: { Config: [{ Subnet: '10.88.0.0/16' }] } };
    const { IPAM } = network;
    const bridgeNetwork = { IPAM: { Config: [{ ...IPAM.Config[0], Gateway: '10.88.0.1/16' }] } };
    expect(doorOf(await accessOf({ version: podman, network: bridgeNetwork }, ['192.0.2.7']))).toMatchObject({
      listenAt: '10.88.0.1',
    });
    const small = { IPAM: { Config: [{ Subnet: '10.88.4.0/24' }] } };
    expect(doorOf(await accessOf({ version: podman, network: small }, ['192.0.2.7']))).toMatchObject({
      listenAt: '10.88.4.1',
    });
  });

  it('of a rootless Podman through the network of the person, which it shares', async () => {
    const info = { SecurityOptions: ['name=rootless'] };
    expect(await accessOf({ version: podman, info }, ['192.0.2.7'])).toEqual({ kind: 'host' });
  });

  it('of a rootless Docker only where other machines are let in, at an address from which its connections come as well', async () => {
    const rootless = { version: docker, info: { SecurityOptions: ['name=rootless'] } };
    const door = doorOf(await accessOf(rootless, ['192.0.2.7'], { isOpen: true }));
    expect(door).toMatchObject({ listenAt: '192.0.2.7', name: '192.0.2.7' });
    expect(door.mayEnter('192.0.2.7')).toBe(true);
    expect(door.mayEnter('192.0.2.8')).toBe(false);
    expect(await accessOf(rootless, ['192.0.2.7'])).toContain('--allow-lan');
    expect(await accessOf(rootless, [], { isOpen: true })).toContain('while the machine is in a network');
  });

  it('not at all where the container engine runs on another machine, which is told with what to do', async () => {
    await using api = await startEngineApi({ '/version': docker, '/info': {} }, 'port');
    const here = await createEngineFinder({ env: { DOCKER_HOST: api.host } }).find();
    const elsewhere = { ...(here as ContainerEngine), place: { address: 'tcp://gpu-box:2375', socketPath: null } };
    expect(await findHostAccess(elsewhere, machineAt(['192.0.2.7']))).toMatch(
      /gpu-box:2375 runs on another machine.*npm run serve/,
    );
  });
});

it('An address can be listened at where it is one of this machine', async () => {
  const host = hostNetwork(false);
  expect(await host.canListen('127.0.0.1')).toBe(true);
  // An address that is reserved for documentation.
  expect(await host.canListen('192.0.2.7')).toBe(false);
});
