/** The container engine comes and goes, images cannot be had or need credentials, and a killed engine leaves nothing behind. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { machineSchema, type Machine } from '#contract/machine.ts';
import { jobTimelineSchema } from '#contract/local.ts';
import { startContainerEngine, whyNoContainers } from '../../support/containerEngine.ts';
import { makeShellImage } from '../../support/containerImages.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { jobsOf } from '../../support/jobs.ts';
import { startImageRegistry } from '../../support/imageRegistry.ts';
import { accepted } from '../../support/resources.ts';
import { until } from '../../support/until.ts';
import { makeContainerEndpoint, SHELL_IMAGE, shellTemplate, shellWorker, useContainers } from './containerWorkers.ts';

const none = whyNoContainers();

/** Why a job waits, in words. */
const waitingOf = async (engine: TestEngine, jobId: string): Promise<string> =>
  JSON.stringify(jobTimelineSchema.parse(accepted(await engine.http.get(`/local/v1/jobs/${jobId}`))).waiting);
const containersOf = async (engine: TestEngine): Promise<Machine['containers']> =>
  machineSchema.parse(accepted(await engine.http.get('/local/v1/machine'))).containers;

test('without a container engine, an endpoint of an image says what is missing and how to get it', async () => {
  await using engine = await startEngine({ env: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
  const { endpoint } = await makeContainerEndpoint(engine, { imageName: 'me/image' });
  const id = await jobsOf(engine, endpoint.id).run({});
  const waiting = await until('the reason', async () => {
    const seen = await waitingOf(engine, id);
    return seen.includes('No container engine') && seen;
  });
  expect(waiting).toContain('Install Docker');
  expect(await containersOf(engine)).toMatchObject({ available: false, name: null });
});

if (none !== null) test('containers: engines', ({ skip }) => skip(none));
describe.skipIf(none !== null)('containers: engines', () => {
  const { containers, start } = useContainers(['shell']);

  test('an image that is nowhere keeps its jobs waiting, with a reason that names it and says what to check', async () => {
    await using engine = await start();
    // A port that nobody listens on any more.
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const imageName = `127.0.0.1:${port}/nobody/nothing:1`;
    const { endpoint } = await makeContainerEndpoint(engine, { imageName });
    const id = await jobsOf(engine, endpoint.id).run({});
    const waiting = await until('the reason', async () => {
      const seen = await waitingOf(engine, id);
      return seen.includes('could not be reached') && seen;
    });
    expect(waiting).toContain(imageName);
    expect(waiting).toContain('Connect to the network, or pull the image beforehand.');
  });

  test('an image of a private registry is pulled with the credentials of its template, and not without', async () => {
    await using engine = await start();
    const { docker } = containers();
    await using registry = await startImageRegistry({ username: 'me', password: 'let me in' });
    const repo = `127.0.0.1:${registry.port}/me/worker`;
    await docker.getImage(SHELL_IMAGE).tag({ repo, tag: '1' });
    const auth = { username: 'me', password: 'let me in', serveraddress: `127.0.0.1:${registry.port}` };
    const pushing = await docker.getImage(`${repo}:1`).push({ authconfig: auth });
    let said = '';
    for await (const part of pushing) said += String(part);
    expect(said).not.toContain('"error"');
    await docker.getImage(`${repo}:1`).remove();

    const template = { ...shellTemplate('echo true'), imageName: `${repo}:1` };
    const without = await makeContainerEndpoint(engine, template);
    const refused = await jobsOf(engine, without.endpoint.id).run({});
    await until('the refusal', async () =>
      (await waitingOf(engine, refused)).includes('make a container registry auth'),
    );

    const { id: containerRegistryAuthId } = accepted(
      await engine.http.post('/v1/containerregistryauth', { name: 'mine', username: 'me', password: 'let me in' }),
    ) as { id: string };
    const { endpoint } = await makeContainerEndpoint(engine, { ...template, containerRegistryAuthId });
    const jobs = jobsOf(engine, endpoint.id);
    expect(await jobs.finished(await jobs.run({}), 30_000)).toMatchObject({ status: 'COMPLETED' });
  });

  test('an engine that is killed leaves containers, and the next one on its folder removes them and serves their jobs', async () => {
    await using engine = await start();
    await using other = await start();
    const { endpoint } = await makeContainerEndpoint(engine, shellTemplate('sleep 3600'), { workersMax: 1 });
    const neighbour = await makeContainerEndpoint(other, shellTemplate('echo true'), { workersMin: 1 });
    await jobsOf(other, neighbour.endpoint.id).finished(await jobsOf(other, neighbour.endpoint.id).run({}), 30_000);
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    await jobs.reached(id, 'IN_PROGRESS', 30_000);
    const before = (await containers().ours()).map(({ Id }) => Id);
    expect(before.length).toBe(2);
    await engine.kill9();
    expect((await containers().ours()).length).toBe(2);
    await engine.restart();
    const again = await until(
      'the job to run again in a new container',
      async () => (await jobs.status(id)).status === 'IN_PROGRESS' && (await containers().ours()),
      { withinMs: 30_000 },
    );
    const kept = again.filter(({ Id }) => before.includes(Id));
    expect(kept.map(({ Labels }) => Labels['hangar.endpoint'])).toEqual([neighbour.endpoint.id]);
    await engine.stop();
    await other.stop();
    expect(await containers().ours()).toEqual([]);
  });

  test('a job waits while the container engine is away, and is served when it is back', async () => {
    await using own = await startContainerEngine();
    await makeShellImage(own.docker, SHELL_IMAGE);
    await using engine = await startEngine({ env: { DOCKER_HOST: own.host } });
    expect(await containersOf(engine)).toMatchObject({ available: true, name: 'Docker', address: own.host });
    const { endpoint } = await makeContainerEndpoint(engine, {
      imageName: SHELL_IMAGE,
      dockerStartCmd: ['/bin/sh', '-c', shellWorker('echo true')],
    });
    await own.stop();
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    await until('the reason', async () => (await waitingOf(engine, id)).includes('container engine'), {
      withinMs: 20_000,
    });
    await until('the machine to say so', async () => !(await containersOf(engine)).available, { withinMs: 20_000 });
    await own.start();
    expect(await jobs.finished(id, 40_000)).toMatchObject({ status: 'COMPLETED' });
  });
});
