/**
 * The container engine comes and goes, images cannot be had or need credentials, and a killed engine leaves nothing
 * behind.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { logPageSchema } from '#contract/local/log.ts';
import { machineSchema, type Machine } from '#contract/local/machine.ts';
import { jobTimelineSchema, workerSchema } from '#contract/local/engine.ts';
import { startContainerEngine, whyNoContainers } from '../../support/containers/engine.ts';
import { makeForeignImage, makeShellImage } from '../../support/containers/images.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { startImageRegistry, type ImageRegistry } from '../../support/containers/registry.ts';
import { mountSmallDisk } from '../../support/disk/smallDisk.ts';
import { accepted } from '../../support/resources/resources.ts';
import { settles, until } from '../../support/core/until.ts';
import { freePort } from '../../support/http/freePort.ts';
import { startRelay } from '../../support/http/relay.ts';
import {
  engineAddressOf,
  makeContainerEndpoint,
  makeVolume,
  otherListeners,
  SHELL_IMAGE,
  shellTemplate,
  useContainers,
} from './containerWorkers.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();

/** Why a job waits, in words. */
const waitingOf = async (engine: TestEngine, jobId: string): Promise<string> =>
  JSON.stringify(jobTimelineSchema.parse(accepted(await engine.http.get(`/local/v1/jobs/${jobId}`))).waiting);
const containersOf = async (engine: TestEngine): Promise<Machine['containers']> =>
  machineSchema.parse(accepted(await engine.http.get('/local/v1/machine'))).containers;

test('where the container engine that DOCKER_HOST names is away, an endpoint of an image says so, and not that one be installed', async () => {
  await using engine = await startEngine({ env: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
  const { endpoint } = await makeContainerEndpoint(engine, { imageName: 'me/image' });
  const id = await jobsOf(engine, endpoint.id).run({});
  const waiting = await until(
    'the reason',
    () => waitingOf(engine, id),
    (reason) => reason.includes('No container engine'),
  );
  expect(waiting).toContain('unix:///nowhere/docker.sock, which DOCKER_HOST names');
  expect(waiting).not.toContain('Install');
  expect(await containersOf(engine)).toMatchObject({ available: false, name: null });
});

describe('containers: engines', skipFor(none), () => {
  const { containers, start } = useContainers(['shell']);

  test('an image that is nowhere keeps its jobs waiting, with a reason that names it and says what to check', async () => {
    await using engine = await start();
    const imageName = `127.0.0.1:${await freePort()}/nobody/nothing:1`;
    const { endpoint } = await makeContainerEndpoint(engine, { imageName });
    const id = await jobsOf(engine, endpoint.id).run({});
    const waiting = await until(
      'the reason',
      () => waitingOf(engine, id),
      (reason) => reason.includes('could not be reached'),
    );
    expect(waiting).toContain(imageName);
    expect(waiting).toContain('Connect to the network, or pull the image beforehand.');
  });

  const startRegistry = () => startImageRegistry({ username: 'me', password: 'let me in' });

  /** Puts an image of a shell into the registry, which the container engine does not have itself. Answers its name. */
  async function pushImage({ port }: ImageRegistry): Promise<string> {
    const { docker } = containers();
    const name = `127.0.0.1:${port}/me/worker:1`;
    await makeShellImage(docker, name);
    const image = docker.getImage(name);
    const auth = { username: 'me', password: 'let me in', serveraddress: `127.0.0.1:${port}` };
    expect(await text((await image.push({ authconfig: auth })) as Readable)).not.toContain('"error"');
    await image.remove();
    return name;
  }

  const credentials = async (engine: TestEngine, password: string): Promise<object> => {
    const body = { name: password, username: 'me', password };
    const { id } = accepted(await engine.http.post('/v1/containerregistryauth', body)) as { id: string };
    return { containerRegistryAuthId: id };
  };

  test('an image of a private registry is pulled with the credentials of its template, and not without or with wrong ones', async () => {
    await using engine = await start();
    await using registry = await startRegistry();
    const imageName = await pushImage(registry);
    const template = { ...shellTemplate('echo true'), imageName };
    const whyNot = async (fields: object, words: string) => {
      const { endpoint } = await makeContainerEndpoint(engine, { ...template, ...fields });
      const id = await jobsOf(engine, endpoint.id).run({});
      await until(
        words,
        () => waitingOf(engine, id),
        (now) => now.includes(words),
      );
    };
    await whyNot({}, 'make a container registry auth');
    const wrong = await credentials(engine, 'open sesame');
    await whyNot(wrong, 'refused the credentials');
    const { refused } = registry;
    expect(refused).toBeGreaterThan(0);
    // Another endpoint, and workers that are tried again and again, do not send the wrong password again.
    await whyNot(wrong, '3 workers failed in a row');
    expect(registry.refused).toBe(refused);
    const right = await credentials(engine, 'let me in');
    await whyNot({ ...right, imageName: imageName.replace('/worker', '/other') }, 'There is no image');

    const { endpoint } = await makeContainerEndpoint(engine, { ...template, ...right });
    const jobs = jobsOf(engine, endpoint.id);
    expect(await jobs.finished(await jobs.run({}))).toMatchObject({ status: 'COMPLETED' });
  });

  test('a pull is told of with its progress, by the reason of a waiting job and by the worker, and ends with its endpoint', async () => {
    await using engine = await start();
    await using registry = await startRegistry();
    const imageName = await pushImage(registry);
    registry.slowDown();
    const template = { ...shellTemplate('echo true'), imageName, ...(await credentials(engine, 'let me in')) };
    const { endpoint } = await makeContainerEndpoint(engine, template);
    const id = await jobsOf(engine, endpoint.id).run({});
    const pulling = new RegExp(`Pulling ${imageName}, [1-9]\\d* %`);
    await until(
      'the progress in the reason',
      () => waitingOf(engine, id),
      (now) => pulling.test(now),
    );
    const [worker] = workerSchema.array().parse(accepted(await engine.http.get('/local/v1/workers')));
    expect(worker?.preparing).toMatch(pulling);
    expect(registry.slow).toBe(1);
    expect((await engine.http.send('DELETE', `/v1/endpoints/${endpoint.id}`)).status).toBe(204);
    await until('the container engine to let go of the registry', () => registry.slow, 0);
    await until(
      'its worker to be gone',
      async () => (accepted(await engine.http.get('/local/v1/workers')) as []).length,
      0,
    );
  });

  test('an image for which there is no room is told of with what to do', async () => {
    using disk = mountSmallDisk(32);
    await using own = await startContainerEngine({ dataRoot: disk.folder });
    await using engine = await startEngine({ env: { DOCKER_HOST: own.host } });
    await using registry = await startRegistry();
    const imageName = await pushImage(registry);
    await disk.fill();
    const template = { ...shellTemplate('echo true'), imageName, ...(await credentials(engine, 'let me in')) };
    const { endpoint } = await makeContainerEndpoint(engine, template);
    const id = await jobsOf(engine, endpoint.id).run({});
    const waiting = await until(
      'the reason',
      () => waitingOf(engine, id),
      (reason) => reason.includes('no room on the disk'),
    );
    expect(waiting).toContain('docker system prune');
  });

  test.each<[command: string[], words: RegExp]>([
    [['/bin/nothing'], /\/bin\/nothing.* is not in the image .*Check dockerEntrypoint and dockerStartCmd/],
    [['/etc/hostname'], /\/etc\/hostname.* cannot be executed .*the file may be executed/],
    [['/bin/sh', '-c', 'serve-me'], /exit code 127 \(a command was not found\).*serve-me: not found/],
  ])('a worker whose command is %s is told of with what is wrong about it', async (dockerStartCmd, words) => {
    await using engine = await start();
    const { endpoint } = await makeContainerEndpoint(engine, { imageName: SHELL_IMAGE, dockerStartCmd });
    const id = await jobsOf(engine, endpoint.id).run({});
    await until(
      String(words),
      () => waitingOf(engine, id),
      (now) => words.test(now),
    );
  });

  test('an image that was made for another processor is told of as such', async () => {
    await using engine = await start();
    await makeForeignImage(containers().docker, 'hangar-foreign:1');
    const { endpoint } = await makeContainerEndpoint(engine, {
      imageName: 'hangar-foreign:1',
      dockerStartCmd: ['/bin/sh'],
    });
    const id = await jobsOf(engine, endpoint.id).run({});
    await until(
      'the reason',
      () => waitingOf(engine, id),
      (now) => now.includes('for this kind of processor'),
    );
  });

  test('a job waits while the container engine is away, and is served when it is back', async () => {
    await using own = await startContainerEngine();
    await makeShellImage(own.docker, SHELL_IMAGE);
    await using engine = await startEngine({ env: { DOCKER_HOST: own.host } });
    expect(await containersOf(engine)).toMatchObject({ available: true, name: 'Docker', address: own.host });
    const { endpoint } = await makeContainerEndpoint(engine, shellTemplate('echo true'));
    await own.stop();
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    await until(
      'the reason',
      () => waitingOf(engine, id),
      (now) => now.includes('container engine'),
    );
    await until('the machine to say so', async () => !(await containersOf(engine)).available);
    await own.start();
    expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED' });
  });

  /** Writes lines until the volume has a file `go`. */
  const WAITS = 'until [ -e /runpod-volume/go ]; do echo waits >&2; sleep 0.1; done; echo true';

  test('a worker ends when the container engine is killed, its job is done once there is one again, and the engine stops by itself', async () => {
    await using own = await startContainerEngine();
    await makeShellImage(own.docker, SHELL_IMAGE);
    await using engine = await startEngine({ env: { DOCKER_HOST: own.host } });
    const volume = await makeVolume(engine);
    const { endpoint } = await makeContainerEndpoint(engine, shellTemplate(WAITS), { networkVolumeId: volume.id });
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    const { workerId } = await jobs.reached(id, 'IN_PROGRESS');
    await own.kill();
    await until(
      'the job to wait for the container engine',
      () => waitingOf(engine, id),
      (now) => now.includes('container engine'),
    );
    await own.start();
    const again = await jobs.reached(id, 'IN_PROGRESS');
    expect(again.workerId).not.toBe(workerId);
    await writeFile(join(volume.folder, 'go'), '');
    expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED' });
    await until('the container that was left to be removed', async () =>
      (await own.ours()).every(({ Labels }) => Labels['hangar.worker'] !== workerId),
    );
    await own.kill();
    expect(await engine.stop()).toBe(0);
  });

  test('a job loses no attempt when the container engine is killed or stopped, four times in a row', async () => {
    await using own = await startContainerEngine();
    await makeShellImage(own.docker, SHELL_IMAGE);
    await using engine = await startEngine({ env: { DOCKER_HOST: own.host } });
    const volume = await makeVolume(engine);
    const { endpoint } = await makeContainerEndpoint(engine, shellTemplate(WAITS), { networkVolumeId: volume.id });
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    for (const end of [own.kill, own.stop, own.kill, own.stop]) {
      const { workerId } = await jobs.reached(id, 'IN_PROGRESS');
      await end();
      await until('the worker to be gone', async () =>
        workerSchema
          .array()
          .parse(accepted(await engine.http.get('/local/v1/workers')))
          .every((worker) => worker.id !== workerId),
      );
      await own.start();
    }
    await jobs.reached(id, 'IN_PROGRESS');
    await writeFile(join(volume.folder, 'go'), '');
    expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED' });
  });

  test('a worker whose connections to the container engine break off works on, its output is read, and its end is noticed', async () => {
    await using relay = await startRelay(containers().host);
    await using engine = await start({ env: { DOCKER_HOST: relay.address.replace('http:', 'tcp:') } });
    const volume = await makeVolume(engine);
    const { endpoint } = await makeContainerEndpoint(engine, shellTemplate(WAITS), {
      networkVolumeId: volume.id,
      workersMax: 1,
      idleTimeout: 600,
    });
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    const { workerId } = await jobs.reached(id, 'IN_PROGRESS');
    const newestLine = async () => {
      const { lines } = logPageSchema.parse(accepted(await engine.http.get(`/local/v1/logs?workerId=${workerId}`)));
      return Math.max(0, ...lines.map(({ n }) => n));
    };
    await until('what it writes to be read', newestLine, (n) => n > 1);
    relay.drop();
    const before = await newestLine();
    await until('what it writes to be read again', newestLine, (n) => n > before + 5);
    await writeFile(join(volume.folder, 'go'), '');
    expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED', workerId });
    await rm(join(volume.folder, 'go'));
    const other = await jobs.run({});
    expect(await jobs.reached(other, 'IN_PROGRESS')).toMatchObject({ workerId });
    const [{ Id } = { Id: '' }] = (await containers().ours()).filter(
      ({ Labels }) => Labels['hangar.worker'] === workerId,
    );
    await containers().docker.getContainer(Id).kill();
    await until('the job to be given to another worker', async () => {
      const view = await jobs.status(other);
      return view.status === 'IN_PROGRESS' && view.workerId !== workerId;
    });
  });

  test('a worker whose start was answered on a connection that broke off does its job', async () => {
    await using relay = await startRelay(containers().host);
    await using engine = await start({ env: { DOCKER_HOST: relay.address.replace('http:', 'tcp:') } });
    // The worker is looked at after its job.
    const { endpoint } = await makeContainerEndpoint(engine, shellTemplate('echo 1'), {
      workersMax: 1,
      idleTimeout: 600,
    });
    const dropped = relay.dropAnswerTo('/start');
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    await settles('the start of the container', dropped);
    const { workerId } = await jobs.finished(id);
    const workers = async () => workerSchema.array().parse(accepted(await engine.http.get('/local/v1/workers')));
    const prepared = await until(
      'the worker to be prepared or gone',
      async () => (await workers()).map((worker) => ({ id: worker.id, preparing: worker.preparing })),
      ([worker]) => worker?.id !== workerId || worker?.preparing === null,
    );
    expect(prepared).toEqual([{ id: workerId, preparing: null }]);
  });

  test('a worker reaches the engine at the gateway of its bridge, and at no address that other machines reach', async () => {
    await using engine = await start();
    const { seen, wanted } = await engineAddressOf(engine, containers());
    expect(seen).toContain(wanted);
    expect(await otherListeners(String(seen))).toEqual([]);
  });
});
