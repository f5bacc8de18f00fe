/** Pulls of images that a person asks for: their progress, their end, and who may cancel them. */
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stateChangeSchema } from '#contract/local/changes/stateChange.ts';
import { workerSchema } from '#contract/local/engine.ts';
import { imagePullSchema, imagePullsSchema, localImageSchema } from '#contract/local/image.ts';
import { startContainerEngine, whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { startImageRegistry, type ImageRegistry } from '../../support/containers/registry.ts';
import { skipFor } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { mountSmallDisk } from '../../support/disk/smallDisk.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { openEvents } from '../../support/logs/events.ts';
import { accepted } from '../../support/resources/resources.ts';

const OWNER = { username: 'me', password: 'let me in' };

describe('pulls of images', skipFor(whyNoContainers()), () => {
  let containers: TestContainerEngine;
  beforeAll(async () => {
    containers = await startContainerEngine();
  });
  afterAll(() => containers?.closeEmpty());

  const start = () => startEngine({ env: { DOCKER_HOST: containers.host } });

  /** Puts an image into the registry that the container engine does not have. Answers its name. */
  async function pushImage({ port }: ImageRegistry): Promise<string> {
    const name = `127.0.0.1:${port}/me/model:1`;
    await makeShellImage(containers.docker, name);
    const image = containers.docker.getImage(name);
    const authconfig = { ...OWNER, serveraddress: `127.0.0.1:${port}` };
    expect(await text((await image.push({ authconfig })) as Readable)).not.toContain('"error"');
    await image.remove();
    return name;
  }

  const pull = async (engine: TestEngine, body: object) =>
    imagePullSchema.parse(accepted(await engine.http.post('/local/v1/images', body)));
  const pulls = async (engine: TestEngine) =>
    imagePullSchema.array().parse(accepted(await engine.http.get('/local/v1/images/pulls')));
  const ended = (engine: TestEngine, id: string) =>
    until(
      'the end of the pull',
      async () => (await pulls(engine)).find((one) => one.id === id),
      (one) => one?.endedAt !== null,
    );
  const authOf = async (engine: TestEngine, password: string) => {
    const body = { name: password, username: OWNER.username, password };
    return (accepted(await engine.http.post('/v1/containerregistryauth', body)) as { id: string }).id;
  };
  const isHere = async (engine: TestEngine, name: string) =>
    localImageSchema
      .array()
      .parse(accepted(await engine.http.get('/local/v1/images')))
      .some((image) => image.name === name);

  test('an image is pulled with the credentials that are named, and a pull that fails says why', async () => {
    await using engine = await start();
    await using registry = await startImageRegistry(OWNER);
    const name = await pushImage(registry);
    const containerRegistryAuthId = await authOf(engine, OWNER.password);

    const withoutAccess = await pull(engine, { name });
    expect(await ended(engine, withoutAccess.id)).toMatchObject({
      state: 'FAILED',
      problem: expect.stringContaining('or it is private') as string,
    });
    const unknown = await pull(engine, { name: name.replace('model', 'other'), containerRegistryAuthId });
    expect(await ended(engine, unknown.id)).toMatchObject({
      state: 'FAILED',
      problem: expect.stringContaining('There is no image') as string,
    });
    const unreachable = await pull(engine, { name: '127.0.0.1:1/me/model:1' });
    expect(await ended(engine, unreachable.id)).toMatchObject({
      state: 'FAILED',
      problem: expect.stringContaining('could not be reached') as string,
    });
    expect(await isHere(engine, name)).toBe(false);

    const { id } = await pull(engine, { name, containerRegistryAuthId });
    expect(await ended(engine, id)).toMatchObject({ name, state: 'DONE', percent: 100, problem: null });
    expect(await isHere(engine, name)).toBe(true);

    const noCredentials = await engine.http.post('/local/v1/images', { name, containerRegistryAuthId: 'none' });
    expect(noCredentials.status).toBe(404);
    expect((await engine.http.post('/local/v1/images', { name: 'NO IMAGE' })).status).toBe(400);
  });

  test('a pull goes on without its caller, is told with its progress, and ends when it is cancelled', async () => {
    await using engine = await start();
    await using registry = await startImageRegistry(OWNER);
    const name = await pushImage(registry);
    registry.slowDown();
    const containerRegistryAuthId = await authOf(engine, OWNER.password);
    const { id } = await pull(engine, { name, containerRegistryAuthId });
    const halfway = await until(
      'some progress',
      async () => (await pulls(engine)).find((one) => one.id === id),
      (one) => (one?.percent ?? 0) > 0,
    );
    expect(halfway).toMatchObject({
      containerRegistryAuthId,
      layers: 1,
      layersDone: 0,
      totalBytes: expect.any(Number) as number,
    });
    expect(halfway!.downloadedBytes).toBeGreaterThan(0);
    expect(halfway!.downloadedBytes).toBeLessThan(halfway!.totalBytes!);
    // Who asks for the same image gets the same pull.
    expect((await pull(engine, { name, containerRegistryAuthId })).id).toBe(id);
    expect(registry.slow).toBe(1);

    const path = `/local/v1/images/pulls/${id}`;
    expect((await engine.http.send('DELETE', path)).status).toBe(204);
    // Asked for again at once, it is another pull.
    const { id: again } = await pull(engine, { name, containerRegistryAuthId });
    expect(again).not.toBe(id);
    expect((await engine.http.send('DELETE', `/local/v1/images/pulls/${again}`)).status).toBe(204);
    await until('the end of the transfer', () => registry.slow === 0);
    expect(await pulls(engine)).toEqual([]);
    expect(await isHere(engine, name)).toBe(false);
    expect((await engine.http.send('DELETE', path)).status).toBe(404);
  });

  test('a pull that is asked for right after it was cancelled starts anew, and its changes are sent as they come', async () => {
    await using engine = await start();
    await using registry = await startImageRegistry(OWNER);
    const name = await pushImage(registry);
    registry.slowDown();
    const body = { name, containerRegistryAuthId: await authOf(engine, OWNER.password) };
    await using events = await openEvents(engine, '/local/v1/images/pulls/events');
    const nextPulls = async () => imagePullsSchema.parse(JSON.parse((await events.next()).data)).pulls;
    expect(await nextPulls()).toEqual([]);
    const { id: first } = await pull(engine, body);
    await until('its download', () => registry.slow, 1);
    await engine.http.send('DELETE', `/local/v1/images/pulls/${first}`);
    const { id } = await pull(engine, body);
    await until('half of the image', nextPulls, ([one]) => one?.id === id && one.downloadedBytes > 0);
    registry.speedUp();
    const [done] = await until('its end', nextPulls, ([one]) => one?.endedAt !== null);
    expect(done).toMatchObject({ id, state: 'DONE', percent: 100, layers: 1, layersDone: 1 });
    expect(done!.downloadedBytes).toBe(done!.totalBytes);
    expect(await isHere(engine, name)).toBe(true);
  });

  test('a worker that waits for its image is told as changed with each step of the pull', async () => {
    await using engine = await start();
    await using registry = await startImageRegistry(OWNER);
    const imageName = await pushImage(registry);
    registry.slowDown();
    const containerRegistryAuthId = await authOf(engine, OWNER.password);
    const template = { name: 'pulled', imageName, isServerless: true, containerRegistryAuthId };
    const { id: templateId } = accepted(await engine.http.post('/v1/templates', template)) as { id: string };
    await using changes = await openEvents(engine, '/local/v1/changes');
    const next = async () => stateChangeSchema.parse(JSON.parse((await changes.next()).data));
    const endpoint = { name: 'pulled', templateId, computeType: 'CPU', workersMin: 1, workersMax: 1 };
    const { id } = accepted(await engine.http.post('/v1/endpoints', endpoint)) as { id: string };
    const steps = new Set<string | null>();
    // Reads after a change of the endpoint alone: no step is shown by chance.
    const isAtHalf = () => [...steps].some((step) => /^Pulling .*, \d+ %$/.test(step ?? ''));
    while (!isAtHalf()) {
      while ((await next()).id !== id);
      const workers = workerSchema.array().parse(accepted(await engine.http.get('/local/v1/workers')));
      for (const { preparing } of workers) steps.add(preparing);
    }
    accepted(await engine.http.send('PATCH', `/v1/endpoints/${id}`, { workersMin: 0, workersMax: 0 }));
    await until('the end of the transfer', () => registry.slow === 0);
  });

  test('a pull ends with the engine, and with the container engine for a reason that is told', async () => {
    await using registry = await startImageRegistry(OWNER);
    const name = await pushImage(registry);
    registry.slowDown();
    {
      await using engine = await start();
      await pull(engine, { name, containerRegistryAuthId: await authOf(engine, OWNER.password) });
      await until('its download', () => registry.slow, 1);
    }
    await until('the end of the transfer', () => registry.slow, 0);

    await using own = await startContainerEngine();
    await using engine = await startEngine({ env: { DOCKER_HOST: own.host } });
    expect(await pulls(engine)).toEqual([]);
    const { id } = await pull(engine, { name, containerRegistryAuthId: await authOf(engine, OWNER.password) });
    await until('its download', () => registry.slow, 1);
    await own.stop();
    const { state, problem } = (await ended(engine, id))!;
    expect({ state, problem }).toEqual({
      state: 'FAILED',
      problem: 'Docker stopped answering. Check whether it is running, then try again.',
    });
  });

  test('a pull for which there is no room says so', async () => {
    using disk = mountSmallDisk(32);
    await using own = await startContainerEngine({ dataRoot: disk.folder });
    await using engine = await startEngine({ env: { DOCKER_HOST: own.host } });
    await using registry = await startImageRegistry(OWNER);
    const name = await pushImage(registry);
    await disk.fill();
    const { id } = await pull(engine, { name, containerRegistryAuthId: await authOf(engine, OWNER.password) });
    const { problem } = (await ended(engine, id))!;
    expect(problem).toBe(
      `There is no room on the disk for the image ${name}. Make room, for example remove unused images (Resources, Container images), then try again.`,
    );
  });
});
