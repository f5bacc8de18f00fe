/**
 * Images run unchanged: with their own command or the template's, the variables of the worker protocol, and their
 * folders.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { workerSchema } from '#contract/local/engine.ts';
import { localImageSchema } from '#contract/local/image.ts';
import { logPageSchema } from '#contract/local/log.ts';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import {
  makeContainerEndpoint,
  makeVolume,
  SHELL_IMAGE,
  shellTemplate,
  shellWorker,
  useContainers,
} from './containerWorkers.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();

describe('containers: images', skipFor(none), () => {
  const { containers, start } = useContainers(['shell']);

  test('an image without anything of ours serves jobs through the worker protocol, and is gone when the engine is', async () => {
    await using engine = await start();
    const template = shellTemplate('echo "\\"hello from $RUNPOD_POD_ID\\""');
    // Its container is counted after its job.
    const { endpoint } = await makeContainerEndpoint(engine, template, { idleTimeout: 600 });
    const jobs = jobsOf(engine, endpoint.id);
    const job = await jobs.finished(await jobs.run({}));
    expect(job).toMatchObject({ status: 'COMPLETED', output: `hello from ${job.workerId}` });
    expect((await containers().ours()).length).toBe(1);
    const images = localImageSchema.array().parse(accepted(await engine.http.get('/local/v1/images')));
    expect(images).toContainEqual(expect.objectContaining({ name: SHELL_IMAGE, sizeBytes: expect.any(Number) }));
    await engine.stop();
    expect(await containers().ours()).toEqual([]);
  });

  test('an image is removed by its name, but not while a container was made from it', async () => {
    await using engine = await start();
    const { docker } = containers();
    const name = 'hangar-unused:1';
    const remove = () => engine.http.send('DELETE', `/local/v1/images?name=${encodeURIComponent(name)}`);
    const find = async () =>
      localImageSchema
        .array()
        .parse(accepted(await engine.http.get('/local/v1/images')))
        .find((image) => image.name === name);
    const source = await docker.createContainer({ Image: SHELL_IMAGE, Cmd: ['true'] });
    await source.commit({ repo: 'hangar-unused', tag: '1', changes: 'EXPOSE 8000 22/tcp 53/udp' });
    await source.remove();
    const user = await docker.createContainer({ Image: name, name: 'hangar-user', Cmd: ['true'] });
    expect(await find()).toMatchObject({ containers: ['hangar-user'], ports: ['22/tcp', '53/udp', '8000/tcp'] });
    const refused = await remove();
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('The container \\"hangar-user\\" was made from');
    const another = await docker.createContainer({ Image: name, name: 'hangar-another', Cmd: ['true'] });
    expect((await remove()).text).toMatch(/The containers .*hangar-another.*hangar-user.* were made from/);
    for (const container of [user, another]) await container.remove();
    expect((await remove()).status).toBe(204);
    expect(await find()).toBeUndefined();
    expect((await remove()).status).toBe(404);
  });

  /** A worker that puts its variables into its volume, then serves. */
  const telling = shellWorker('echo true').replace('\n', '\nenv > /runpod-volume/variables\n');

  test('a worker is told all of the worker protocol, which wins over the template, and sees its volume at /runpod-volume', async () => {
    await using engine = await start();
    const volume = await makeVolume(engine);
    const env = { MODEL: 'tiny', RUNPOD_ENDPOINT_ID: 'spoofed', RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'false' };
    const { endpoint } = await makeContainerEndpoint(
      engine,
      { imageName: SHELL_IMAGE, env, dockerStartCmd: ['/bin/sh', '-c', telling] },
      { networkVolumeId: volume.id },
    );
    const jobs = jobsOf(engine, endpoint.id);
    const { status, workerId } = await jobs.finished(await jobs.run({}));
    expect(status).toBe('COMPLETED');
    const lines = (await readFile(join(volume.folder, 'variables'), 'utf8')).trim().split('\n');
    const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)) as [string, string][]);
    expect(environment).toMatchObject({
      MODEL: 'tiny',
      RUNPOD_ENDPOINT_ID: endpoint.id,
      RUNPOD_POD_ID: workerId,
      RUNPOD_POD_HOSTNAME: workerId,
      HOSTNAME: workerId,
      RUNPOD_PING_INTERVAL: '10000',
      RUNPOD_GPU_COUNT: '0',
      RUNPOD_CPU_COUNT: expect.stringMatching(/^\d+$/) as string,
      RUNPOD_MEM_GB: expect.stringMatching(/^\d+$/) as string,
      RUNPOD_VOLUME_ID: volume.id,
      // The start-up checks are off unless the template wants them.
      RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'false',
      RUNPOD_SKIP_GPU_CHECK: 'true',
      NVIDIA_VISIBLE_DEVICES: 'void',
    });
    for (const [name, operation] of [
      ['RUNPOD_WEBHOOK_GET_JOB', `job-take/${workerId}?`],
      ['RUNPOD_WEBHOOK_POST_OUTPUT', `job-done/${workerId}/$ID?`],
      ['RUNPOD_WEBHOOK_POST_STREAM', `job-stream/${workerId}/$ID?`],
      ['RUNPOD_WEBHOOK_PING', `ping/${workerId}?`],
    ] as const) {
      expect(environment[name]).toContain(`/v2/${endpoint.id}/${operation}`);
    }
  });

  test('dockerEntrypoint and dockerStartCmd stand in for those of the image; without them the image keeps its own', async () => {
    await using engine = await start();
    const { docker } = containers();
    const own = await docker.createContainer({
      Image: SHELL_IMAGE,
      Entrypoint: ['/bin/sh', '-c'],
      Cmd: [shellWorker('echo "\\"the image\\""')],
    });
    await own.commit({ repo: 'hangar-own', tag: 'latest' });
    await own.remove();
    const answerOf = async (template: object) => {
      const { endpoint } = await makeContainerEndpoint(engine, { imageName: 'hangar-own', ...template });
      const jobs = jobsOf(engine, endpoint.id);
      return (await jobs.finished(await jobs.run({}))).output;
    };
    expect(await answerOf({})).toBe('the image');
    expect(await answerOf({ dockerStartCmd: [shellWorker('echo "\\"the command\\""')] })).toBe('the command');
    const entrypoint = ['/bin/sh', '-c', shellWorker('echo "\\"$0\\""')];
    expect(await answerOf({ dockerEntrypoint: entrypoint, dockerStartCmd: ['both'] })).toBe('both');
  });

  test('what a container writes is in the log of its worker, and what it uses is measured', async () => {
    await using engine = await start();
    const { endpoint } = await makeContainerEndpoint(engine, shellTemplate('echo true'), { idleTimeout: 600 });
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    const { workerId } = await jobs.finished(id);
    const logged = async (text: string) => {
      const page = logPageSchema.parse(
        accepted(await engine.http.get(`/local/v1/logs?workerId=${workerId}&text=${text}`)),
      );
      return page.lines[0];
    };
    expect(await until('its first line', () => logged('up'))).toMatchObject({
      stream: 'stdout',
      endpointId: endpoint.id,
    });
    // The storage of the engine here has no quotas.
    expect((await until('the notice about its disk', () => logged('containerDiskInGb'))).text).toContain(
      'not enforced',
    );
    expect((await until('the line of the job', () => logged('took'))).text).toBe(`took ${id}`);
    const used = await until(
      'its memory',
      async () => workerSchema.array().parse(accepted(await engine.http.get('/local/v1/workers')))[0],
      (worker) => worker?.memoryBytes !== null,
    );
    expect(used).toMatchObject({ id: workerId, runtime: 'container', preparing: null });
  });

  test('each worker says that its disk is not kept to a size, and those of an endpoint on the CPU have its cores and memory', async () => {
    await using engine = await start();
    const fields = { computeType: 'CPU', cpuFlavorIds: ['cpu3c'], vcpuCount: 1, workersMax: 1, idleTimeout: 600 };
    for (let worker = 0; worker < 2; worker++) {
      const { endpoint } = await makeContainerEndpoint(engine, shellTemplate('echo true'), fields);
      const jobs = jobsOf(engine, endpoint.id);
      const { workerId } = await jobs.finished(await jobs.run({}));
      const search = `/local/v1/logs?workerId=${workerId}&text=containerDiskInGb`;
      await until('the notice about its disk', async () => {
        const { lines } = logPageSchema.parse(accepted(await engine.http.get(search)));
        return lines.length === 1;
      });
      const [made] = (await containers().ours()).filter(({ Labels }) => Labels['hangar.worker'] === workerId);
      const { HostConfig } = await containers().docker.getContainer(made!.Id).inspect();
      expect(HostConfig).toMatchObject({ NanoCpus: 1e9, Memory: 2 * 2 ** 30 });
    }
  });

  test('a program in a container gets at nothing of the engine but the worker protocol, with the key it was given', async () => {
    await using engine = await start();
    const volume = await makeVolume(engine);
    const tries = `
base=$(echo "$RUNPOD_WEBHOOK_GET_JOB" | sed 's#/v2/.*##')
try() { wget -q -S -O /dev/null --header "Authorization: $2" "$base$1" 2>&1 | sed -n 's#.*HTTP/1.1 \\([0-9]*\\).*#\\1#p' | head -n 1; }
{ try "/v2/$RUNPOD_ENDPOINT_ID/ping/$RUNPOD_POD_ID?x" $RUNPOD_AI_API_KEY
  try "/v2/$RUNPOD_ENDPOINT_ID/ping/$RUNPOD_POD_ID?x" ${engine.key}
  try "/v2/$RUNPOD_ENDPOINT_ID/ping/w-other?x" $RUNPOD_AI_API_KEY
  try "/v2/$RUNPOD_ENDPOINT_ID/health" ${engine.key}
  try "/v1/endpoints" ${engine.key}
  try "/health" ${engine.key}
} > /runpod-volume/tries
`;
    const { endpoint } = await makeContainerEndpoint(
      engine,
      { imageName: SHELL_IMAGE, dockerStartCmd: ['/bin/sh', '-c', tries + shellWorker('echo true')] },
      { networkVolumeId: volume.id },
    );
    const jobs = jobsOf(engine, endpoint.id);
    await jobs.finished(await jobs.run({}));
    const answers = (await readFile(join(volume.folder, 'tries'), 'utf8')).trim().split('\n');
    expect(answers).toEqual(['200', '403', '403', '404', '404', '404']);
  });
});
