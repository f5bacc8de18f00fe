/** Workers of images and Pods on a real Podman with root, on a machine that is in no network. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { machineSchema } from '#contract/local/machine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { makeNetwork, type OwnNetwork } from '../../support/containers/network.ts';
import { startPodman, whyNoPodman, type TestPodman } from '../../support/containers/podman.ts';
import { until } from '../../support/core/until.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { createHttp } from '../../support/http/client.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { podsOf, stays, wrote } from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';
import { makeContainerEndpoint, makeVolume, SHELL_IMAGE, shellTemplate } from './containerWorkers.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoPodman();

describe('containers: Podman', skipFor(none), () => {
  let network: OwnNetwork;
  let podman: TestPodman;
  let started: TestEngine;
  let engine: TestEngine;
  beforeAll(async () => {
    network = await makeNetwork();
    podman = await startPodman(network);
    await makeShellImage(podman.docker, SHELL_IMAGE);
    started = await startEngine({ env: { DOCKER_HOST: podman.host }, under: network.under });
    const relay = await network.relayTo(started.port);
    engine = { ...started, http: createHttp(relay.address, started.key) };
  });
  afterAll(async () => {
    engine.http.stop();
    await started.close();
    await podman.close();
    await network[Symbol.asyncDispose]();
  });

  const noContainer = () => until('no container to be left', async () => (await podman.ours()).length, 0);

  /** The answer does not wait for the containers of the endpoint's workers. */
  async function remove(endpointId: string): Promise<void> {
    expect((await engine.http.send('DELETE', `/v1/endpoints/${endpointId}`)).status).toBe(204);
    await noContainer();
  }

  test('the machine names it', async () => {
    const machine = machineSchema.parse(accepted(await engine.http.get('/local/v1/machine')));
    expect(machine.containers).toMatchObject({ available: true, name: 'Podman', address: podman.host });
  });

  test('a worker finds the engine at the bridge that Podman makes for it, and so does one after the bridge was gone', async () => {
    const template = shellTemplate('echo "\\"$RUNPOD_WEBHOOK_GET_JOB\\""');
    for (const which of ['first', 'next']) {
      expect(network.interfaces(), `before the ${which} worker`).not.toContain('podman0');
      const { endpoint } = await makeContainerEndpoint(engine, template, { idleTimeout: 1 });
      const jobs = jobsOf(engine, endpoint.id);
      expect(await jobs.finished(await jobs.run({})), which).toMatchObject({
        status: 'COMPLETED',
        output: expect.stringContaining('http://10.88.0.1:') as string,
      });
      await remove(endpoint.id);
      await until('the bridge to be gone', () => !network.interfaces().includes('podman0'));
    }
  });

  test('a changed template rolls the containers, and the job that runs ends in the old one', async () => {
    const answer =
      'grep -q slow /tmp/job && until [ -e /runpod-volume/go ]; do sleep 0.1; done; echo "\\"${VERSION:-old}\\""';
    const volume = await makeVolume(engine);
    const made = await makeContainerEndpoint(engine, shellTemplate(answer), {
      networkVolumeId: volume.id,
      workersMax: 2,
    });
    const jobs = jobsOf(engine, made.endpoint.id);
    const slow = await jobs.run({ task: 'slow' });
    await jobs.reached(slow, 'IN_PROGRESS');
    accepted(await engine.http.send('PATCH', `/v1/templates/${made.template.id}`, { env: { VERSION: 'new' } }));
    expect(await jobs.finished(await jobs.run({}))).toMatchObject({ status: 'COMPLETED', output: 'new' });
    await writeFile(join(volume.folder, 'go'), '');
    expect(await jobs.finished(slow)).toMatchObject({ status: 'COMPLETED', output: 'old' });
    await remove(made.endpoint.id);
  });

  test('a Pod answers at its port, keeps what it wrote over a stop, and leaves nothing behind', async () => {
    const pods = podsOf(engine);
    const serve = 'mkdir -p /www; echo hello > /www/index.html; httpd -p 80 -h /www';
    const { id } = await pods.make({
      ports: ['80/http'],
      dockerStartCmd: stays(`${serve}; echo x >> /kept; cat /kept > /workspace/kept`),
    });
    const ask = () => engine.http.get('/', { authorization: null, headers: { host: `${id}-80.localhost` } });
    await until('its port to answer', async () => (await ask()).text, 'hello\n');
    await wrote(engine, id, 'kept', 'x\n');
    await pods.act(id, 'stop');
    await pods.untilFacts(id, 'it to have stopped', ({ runtime }) => runtime === null);
    await pods.act(id, 'start');
    await wrote(engine, id, 'kept', 'x\nx\n');
    await pods.delete(id);
    await noContainer();
    expect(await podman.docker.listContainers({ all: true })).toEqual([]);
  });
});
