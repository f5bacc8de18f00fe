/** Images that other programs make and remove are told to whoever follows the engine, on a real container engine. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { stateChangeSchema } from '#contract/local/changes/stateChange.ts';
import { localImageSchema } from '#contract/local/image.ts';
import { startContainerEngine, whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { skipFor } from '../../support/core/skip.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { openEvents } from '../../support/logs/events.ts';
import { accepted } from '../../support/resources/resources.ts';

describe('images', skipFor(whyNoContainers()), () => {
  let containers: TestContainerEngine;
  beforeAll(async () => {
    containers = await startContainerEngine();
  });
  afterAll(() => containers.closeEmpty());

  test('are told when another program makes, uses, tags or removes one', async () => {
    await using engine = await startEngine({ env: { DOCKER_HOST: containers.host } });
    await using events = await openEvents(engine, '/local/v1/changes');
    const images = async () => localImageSchema.array().parse(accepted(await engine.http.get('/local/v1/images')));
    /** Reads the images after each change of them alone, until they are right. */
    async function reach(isRight: (now: Awaited<ReturnType<typeof images>>) => boolean): Promise<void> {
      do {
        let about = '';
        while (about !== 'image') ({ about } = stateChangeSchema.parse(JSON.parse((await events.next()).data)));
      } while (!isRight(await images()));
    }

    await makeShellImage(containers.docker, 'told:1');
    await reach((now) => now.some(({ name }) => name === 'told:1'));
    const container = await containers.docker.createContainer({
      Image: 'told:1',
      Cmd: ['/bin/sh'],
      name: 'user-of-told',
    });
    await reach((now) => now[0]?.containers?.join() === 'user-of-told');
    await container.remove();
    await reach((now) => now[0]?.containers?.length === 0);
    await containers.docker.getImage('told:1').tag({ repo: 'told', tag: '2' });
    await reach((now) => now.some(({ name }) => name === 'told:2'));
    for (const name of ['told:1', 'told:2']) await containers.docker.getImage(name).remove();
    await reach((now) => now.length === 0);
  });
});
