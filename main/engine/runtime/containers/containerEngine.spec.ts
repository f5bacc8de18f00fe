import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngineFinder } from './containerEngine.ts';
import { hostOf, places, type Surroundings } from './sockets.ts';

const linux: Surroundings = { platform: 'linux', env: {}, home: '/home/me', uid: 1000 };
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
    const found = socketsOf({ env: { XDG_RUNTIME_DIR: '/run/user/7' } });
    expect(found).toEqual(
      expect.arrayContaining([
        '/var/run/docker.sock',
        '/run/user/7/docker.sock',
        '/home/me/.docker/run/docker.sock',
        '/home/me/.docker/desktop/docker.sock',
        '/run/user/7/podman/podman.sock',
        '/run/podman/podman.sock',
      ]),
    );
    expect(found.indexOf('/var/run/docker.sock')).toBeLessThan(found.indexOf('/run/podman/podman.sock'));
    expect(socketsOf({ platform: 'darwin' })).toContain('/home/me/.docker/run/docker.sock');
    expect(socketsOf({ platform: 'win32' })).toContain('//./pipe/docker_engine');
  });
});

describe('a container engine', () => {
  let folder: string;
  let server: Server | null = null;
  const socket = () => join(folder, 'docker.sock');
  const finder = () => createEngineFinder({ env: { DOCKER_HOST: `unix://${socket()}` } });

  async function answering(version: object, info: object): Promise<void> {
    server = createServer((request, response) => {
      response.setHeader('connection', 'close');
      response.end(JSON.stringify(request.url === '/version' ? version : info));
    });
    await new Promise<void>((resolve) => server!.listen(socket(), resolve));
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hangar-engine-'));
  });
  afterEach(async () => {
    if (server) await new Promise((resolve) => server!.close(resolve));
    server = null;
    rmSync(folder, { recursive: true });
  });

  it('that is not there is told of in words that say how to get one', async () => {
    const { problem, ...facts } = await finder().facts();
    expect(facts).toEqual({ available: false, name: null, version: null, address: null });
    expect(problem).toContain('No container engine');
    expect(problem).toContain('DOCKER_HOST');
  });

  it('tells its name, its version and where it answers', async () => {
    await answering({ Version: '29.1.2' }, { OSType: 'linux' });
    expect(await finder().facts()).toEqual({
      ...{ available: true, name: 'Docker', version: '29.1.2', address: `unix://${socket()}`, problem: null },
    });
  });

  it('is known as Podman by its components, and runs as a user where it says so', async () => {
    const components = [{ Name: 'Podman Engine', Version: '5.4.0' }];
    await answering({ Version: '5.4.0', Components: components }, { SecurityOptions: ['name=rootless'] });
    expect(await finder().find()).toMatchObject({ name: 'Podman', version: '5.4.0', rootless: true, cdi: true });
  });
});
