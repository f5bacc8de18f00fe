import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEngineApi } from '../../../../../test/support/containers/answeringEngine.ts';
import { until } from '../../../../../test/support/core/until.ts';
import { createEngineFinder } from './discovery.ts';
import { isStopped, missing, refused } from './installHints.ts';
import { hostOf, places, type Surroundings } from './sockets.ts';

const linux: Surroundings = { platform: 'linux', env: {}, home: '/home/me', uid: 1000, programFolders: [] };
const socketsOf = (surroundings: Partial<Surroundings>) =>
  places({ ...linux, ...surroundings }).map(({ socketPath }) => socketPath);

describe('where a container engine is looked for', () => {
  it('is what DOCKER_HOST says and nowhere else, as a socket, a pipe or a host', () => {
    expect(places({ ...linux, env: { DOCKER_HOST: 'unix:///run/mine.sock' } })).toEqual([
      { address: 'unix:///run/mine.sock', socketPath: '/run/mine.sock' },
    ]);
    expect(socketsOf({ platform: 'win32', env: { DOCKER_HOST: 'npipe:////./pipe/mine' } })).toEqual(['//./pipe/mine']);
    const [named] = places({ ...linux, env: { DOCKER_HOST: 'gpu-box:2375' } });
    expect(named).toEqual({ address: 'tcp://gpu-box:2375', socketPath: null });
    expect(hostOf(named!)).toBe('gpu-box');
  });

  it('is the sockets of the system and of the person, Docker before Podman', () => {
    const sockets = socketsOf({ env: { XDG_RUNTIME_DIR: '/run/user/7' } });
    expect(sockets).toEqual(
      expect.arrayContaining([
        '/var/run/docker.sock',
        '/run/user/7/docker.sock',
        '/home/me/.docker/run/docker.sock',
        '/home/me/.docker/desktop/docker.sock',
        '/run/user/7/podman/podman.sock',
        '/run/podman/podman.sock',
      ]),
    );
    expect(sockets.indexOf('/var/run/docker.sock')).toBeLessThan(sockets.indexOf('/run/podman/podman.sock'));
    expect(socketsOf({ platform: 'darwin' })).toContain('/home/me/.docker/run/docker.sock');
    expect(socketsOf({ platform: 'win32' })).toContain('//./pipe/docker_engine');
  });
});

describe('a container engine', () => {
  const finderAt = (host: string) => createEngineFinder({ env: { DOCKER_HOST: host } });
  const docker = (info: object = {}) => ({ '/version': { Version: '29.1.2' }, '/info': { OSType: 'linux', ...info } });
  const problemAt = async (host: string) => (await finderAt(host).facts()).problem;

  it.each(['DOCKER_HOST', 'CONTAINER_HOST'])(
    'that %s names and that is not there is told of by its address',
    async (name) => {
      const env = { DOCKER_HOST: '', [name]: 'unix:///nowhere/docker.sock' };
      const { problem, ...facts } = await createEngineFinder({ env }).facts();
      expect(facts).toEqual({ available: false, name: null, version: null, address: null, obstacle: 'missing' });
      expect(problem).toContain(`No container engine is at unix:///nowhere/docker.sock, which ${name} names.`);
      expect(problem).not.toContain('Install');
    },
  );

  it('that nobody names and that is not there is told of in words that say how to get one', () => {
    expect(missing(linux)).toMatch(/No container engine was found.*Install Docker/);
  });

  it.each([
    ['dockerd', 'Docker is installed on this machine, but it is not running.', 'sudo systemctl enable --now docker.'],
    ['podman', 'Podman is installed on this machine, but', 'systemctl --user enable --now podman.socket.'],
  ])('that is installed as %s and does not run is told of with the command that starts it', (program, is, command) => {
    const folder = mkdtempSync(join(tmpdir(), 'hangar-programs-'));
    try {
      writeFileSync(join(folder, program), '');
      expect(missing({ ...linux, programFolders: [folder] })).toContain('No container engine was found');
      expect(isStopped({ ...linux, programFolders: [folder] })).toBe(false);
      chmodSync(join(folder, program), 0o755);
      for (const message of [
        missing({ ...linux, programFolders: [folder] }),
        missing({ ...linux, env: { PATH: folder } }),
      ]) {
        expect(isStopped({ ...linux, programFolders: [folder] })).toBe(true);
        expect(message).toContain(is);
        expect(message).toContain(command);
        expect(message).not.toContain('Install');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(['socket', 'port'] as const)('tells its name, its version and where it answers, at a %s', async (at) => {
    await using api = await startEngineApi(docker(), at);
    expect(await finderAt(api.host).facts()).toEqual({
      available: true,
      name: 'Docker',
      version: '29.1.2',
      address: api.host,
      problem: null,
      obstacle: null,
    });
  });

  it('is known as Podman by its components, and runs as a user where it says so', async () => {
    const version = { Version: '5.4.0', Components: [{ Name: 'Podman Engine', Version: '5.4.0' }] };
    await using api = await startEngineApi(
      { '/version': version, '/info': { SecurityOptions: ['name=rootless'] } },
      'socket',
    );
    expect(await finderAt(api.host).find()).toMatchObject({
      name: 'Podman',
      version: '5.4.0',
      rootless: true,
      cdi: true,
    });
  });

  it.each<[what: string, info: object, seen: object]>([
    ['gives GPUs of NVIDIA by its own kind of request where it has the runtime for it', nvidia(true), { cdi: false }],
    ['gives GPUs of NVIDIA by their names for devices where it has only those', nvidia(false), { cdi: true }],
    [
      'is in a machine of its own where it is Docker Desktop',
      { OperatingSystem: 'Docker Desktop' },
      { inMachine: true },
    ],
    ['may be set to containers of Windows', { OSType: 'windows' }, { linux: false }],
  ])('%s', async (_what, info, seen) => {
    await using api = await startEngineApi(docker(info), 'socket');
    expect(await finderAt(api.host).find()).toMatchObject(seen);
  });

  it('is asked at the address of DOCKER_HOST, not reached through SSH, and told when that is no address at all', async () => {
    expect(await problemAt('ssh://me@gpu-box')).toMatch(/ssh:\/\/me@gpu-box.*not reached through SSH.*npm run serve/);
    expect(await problemAt('fd://')).toMatch(/fd:\/\/, which is no address.*tcp:\/\/host:port/);
    expect(await problemAt('tcp://:none')).toContain('no address of a container engine');
  });

  it('that answered is only asked whether it still answers: to tell about itself takes some of them seconds', async () => {
    const answers: Record<string, object> = docker();
    await using api = await startEngineApi(answers, 'socket');
    const finder = finderAt(api.host);
    const engine = await finder.find();
    delete answers['/info'];
    await until('it to be asked again', async () => {
      expect(await finder.find()).toBe(engine);
      return api.requests.filter((path) => path === '/_ping').length > 1;
    });
    expect(api.requests.filter((path) => path === '/info')).toHaveLength(1);
  });

  it('that does not answer at a socket that is there is told of with what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hangar-sockets-'));
    const socket = join(folder, 'docker.sock');
    writeFileSync(socket, '');
    expect(await problemAt(`unix://${socket}`)).toMatch(/No container engine answers at .*Start Docker or Podman/);
    rmSync(socket);
    const connections: Socket[] = [];
    const mute = createServer((connection) => connections.push(connection)).listen(socket);
    expect(await problemAt(`unix://${socket}`)).toMatch(/takes the connection, but does not answer/);
    for (const connection of connections) connection.destroy();
    await new Promise((resolve) => mute.close(resolve));
    rmSync(folder, { recursive: true });
  });

  it('that may not be used is told of with the group whose members may', () => {
    const denied = Object.assign(new Error('connect EACCES'), { code: 'EACCES' });
    const place = { address: 'unix:///run/docker.sock', socketPath: '/run/docker.sock' };
    expect(refused(place, denied, 'docker')).toContain('sudo usermod -aG docker $USER');
    expect(refused(place, denied, 'root')).toContain('for root only');
  });
});

/** The facts of an engine that supports NVIDIA GPUs by name, and perhaps by a runtime too. */
function nvidia(runtime: boolean): object {
  return {
    DiscoveredDevices: [{ Source: 'cdi', ID: 'nvidia.com/gpu=0' }],
    Runtimes: { runc: {}, ...(runtime ? { nvidia: {} } : {}) },
  };
}
