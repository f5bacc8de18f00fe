/**
 * Pods and what their containers come from: images that are pulled, and a container engine that goes and comes back.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startContainerEngine, whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { startImageRegistry, type ImageRegistry } from '../../support/containers/registry.ts';
import { until } from '../../support/core/until.ts';
import { startPodContainers } from '../../support/pods/podEngine.ts';
import { createPodMachine, GRACE_MS, POD_IMAGE, shell, STAYS } from './podMachine.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();
const AUTH = { username: 'me', password: 'let me in' };

test('without a container engine it is said what is missing and how to get it, and Pods are refused with that', async () => {
  await using machine = createPodMachine('unix:///nowhere/docker.sock');
  const missing = await machine.driver.unavailable();
  expect(missing).toMatch(/container engine/);
  const plan = machine.plan('none');
  const starting = machine.driver.start(plan, () => undefined, new AbortController().signal);
  await expect(starting).rejects.toMatchObject({ code: 'UNAVAILABLE', message: missing });
  expect(await machine.driver.list()).toEqual([]);
});

describe('containers: engines of Pods', skipFor(none), () => {
  let containers: TestContainerEngine;
  beforeAll(async () => {
    containers = await startPodContainers((docker) => makeShellImage(docker, POD_IMAGE));
  });
  afterAll(() => containers.closeEmpty());

  /** An image that is in the registry, and not in the engine, of which it lacks one layer. */
  async function pushed(registry: ImageRegistry, { docker }: TestContainerEngine): Promise<string> {
    const repo = `127.0.0.1:${registry.port}/me/pod`;
    const Cmd = ['dd', 'if=/dev/urandom', 'of=/layer', 'bs=1k', 'count=500'];
    const container = await docker.createContainer({ Image: POD_IMAGE, Cmd });
    await container.start();
    await container.wait();
    await container.commit({ repo, tag: '1' });
    await container.remove();
    const authconfig = { ...AUTH, serveraddress: `127.0.0.1:${registry.port}` };
    const pushing = await docker.getImage(`${repo}:1`).push({ authconfig });
    let output = '';
    for await (const part of pushing) output += String(part);
    expect(output).not.toContain('"error"');
    await docker.getImage(`${repo}:1`).remove();
    return `${repo}:1`;
  }

  test('an image of a private registry is pulled with its credentials, and it is told how far that is', async () => {
    await using registry = await startImageRegistry(AUTH);
    await using machine = createPodMachine(containers.host);
    const imageName = await pushed(registry, containers);
    await expect(machine.start(machine.plan('private', { imageName }))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('make a container registry auth and name it in the Pod') as string,
    });
    const wrong = { ...AUTH, password: 'sesame' };
    await expect(machine.start(machine.plan('private', { imageName }, { registryAuth: wrong }))).rejects.toMatchObject({
      message: expect.stringContaining('credentials of the Pod') as string,
    });
    const progress: (string | null)[] = [];
    const plan = machine.plan('private', { imageName }, { registryAuth: AUTH });
    const started = await machine.driver.start(plan, (text) => progress.push(text), new AbortController().signal);
    expect(started.running).toBe(true);
    expect(progress[0]).toBe(`Pulling ${imageName}`);
    expect(progress.some((text) => /^Pulling .*, \d+ %$/.test(text ?? ''))).toBe(true);
    expect(progress.slice(-2)).toEqual([`Starting a container of ${imageName}`, null]);
  });

  test('a pull ends when its Pod is not wanted any more, by its signal or by a stop, and nothing is left', async () => {
    await using registry = await startImageRegistry(AUTH);
    await using machine = createPodMachine(containers.host);
    const imageName = await pushed(registry, containers);
    registry.slowDown();
    const plan = machine.plan('held', { imageName }, { registryAuth: AUTH });
    for (const by of ['signal', 'stop'] as const) {
      const unwanted = new AbortController();
      let pulling = false;
      const starting = machine.driver.start(plan, (text) => (pulling ||= text !== null), unwanted.signal);
      const ended = expect(starting).rejects.toMatchObject({ code: 'CONFLICT' });
      await until('it to pull', () => pulling && registry.slow > 0);
      if (by === 'signal') unwanted.abort();
      else await machine.driver.stop('held', GRACE_MS);
      await ended;
    }
    expect(await machine.driver.list()).toEqual([]);
  });

  test('when the container engine goes and comes back, it is told, and Pods are found as they are; a pull fails with it', async () => {
    await using own = await startContainerEngine();
    await using registry = await startImageRegistry(AUTH);
    await using machine = createPodMachine(own.host);
    const { driver, reasons } = machine;
    await makeShellImage(own.docker, POD_IMAGE);
    const imageName = await pushed(registry, own);
    const script = shell(`echo x >> /kept; cat /kept > /workspace/kept; ${STAYS}`);
    const plan = machine.plan('lasting', { dockerStartCmd: script });
    await machine.start(plan);
    expect(await driver.load('lasting')).not.toBeNull();
    await until(
      'its start to be told',
      () => reasons,
      (names) => names.includes('lasting'),
    );
    registry.slowDown();
    let pulling = false;
    const cut = machine.plan('cut', { imageName }, { registryAuth: AUTH });
    const starting = driver.start(cut, (text) => (pulling ||= text !== null), new AbortController().signal);
    const failed = expect(starting).rejects.toMatchObject({ name: 'AppError' });
    await until('it to pull', () => pulling && registry.slow > 0);
    reasons.length = 0;
    await own.stop();
    await failed;
    await until(
      'it to be told that all may have changed',
      () => reasons,
      (list) => list.includes(null),
    );
    await expect(driver.list()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(driver.load('lasting')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    reasons.length = 0;
    await own.start();
    await until(
      'it to be told again',
      () => reasons,
      (list) => list.includes(null),
    );
    const container = await until('the engine to answer', () => machine.find('lasting').catch(() => null));
    expect(container).toMatchObject({ running: false, outOfMemory: false });
    await machine.start(plan);
    await until('what it wrote before', () => machine.reads('lasting', 'kept'), 'x\nx');
    await until(
      'its start to be told by the engine that came back',
      () => reasons,
      (list) => list.includes('lasting'),
    );
  });
});
