/** What takes how much of the disk: images, containers and the data folder, measured on request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diskUsageSchema, type DiskUsage } from '#contract/local/disk/usage.ts';
import { podSchema } from '#contract/api/pod.ts';
import { startContainerEngine, whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { skipFor } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { stays } from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';

const MB = 1024 * 1024;
const measure = async (engine: TestEngine): Promise<DiskUsage> =>
  diskUsageSchema.parse(accepted(await engine.http.get('/local/v1/disk')));
const partOf = ({ parts }: DiskUsage, kind: string) => parts.find((part) => part.kind === kind);

describe('the use of the disk', skipFor(whyNoContainers()), () => {
  let containers: TestContainerEngine;
  beforeAll(async () => {
    containers = await startContainerEngine();
  });
  afterAll(() => containers?.closeEmpty());

  test('images, the layers of containers and volumes are measured, and what the removal of unused images frees', async () => {
    await using engine = await startEngine({ env: { DOCKER_HOST: containers.host } });
    await makeShellImage(containers.docker, 'hangar-used:1', '# used');
    await makeShellImage(containers.docker, 'hangar-unused:1', '# unused');
    const volume = { name: 'models', size: 1, dataCenterId: 'EU-RO-1' };
    const { id: volumeId } = accepted(await engine.http.post('/v1/networkvolumes', volume)) as { id: string };
    const path = `/local/v1/volumes/${volumeId}/files/content?path=model`;
    expect((await engine.http.send('PUT', path, 'x'.repeat(3 * MB))).status).toBeLessThan(300);
    const dockerStartCmd = stays('dd if=/dev/zero of=/tmp/layer bs=1M count=5');
    const body = { name: 'writer', imageName: 'hangar-used:1', computeType: 'CPU', dockerStartCmd };
    const { id } = podSchema.parse((await engine.http.post('/v1/pods', body)).json);
    const usage = await until(
      'the layer of the container',
      () => measure(engine),
      (now) => (partOf(now, 'containers')?.bytes ?? 0) >= 5 * MB,
    );
    expect(usage.containerProblem).toBe(null);
    expect(partOf(usage, 'containers')).toMatchObject({ count: 1 });
    expect(partOf(usage, 'images')).toMatchObject({ count: 2 });
    const { bytes, freeableBytes } = partOf(usage, 'images')!;
    expect(freeableBytes).toBeGreaterThan(0);
    expect(freeableBytes).toBeLessThan(bytes);
    expect(partOf(usage, 'volumes')!.bytes).toBeGreaterThanOrEqual(3 * MB);
    expect(partOf(usage, 'volumes')!.bytes).toBeLessThan(4 * MB);
    expect(partOf(usage, 'databases')!.bytes).toBeGreaterThan(0);
    const withReserve = await until(
      'the reserve for the end of jobs',
      () => measure(engine),
      (now) => (partOf(now, 'reserve')?.bytes ?? 0) >= MB,
    );
    expect(partOf(withReserve, 'other')!.bytes).toBeLessThan(MB);
    expect(usage.parts.map((part) => part.bytes)).toEqual(
      usage.parts.map((part) => part.bytes).toSorted((a, b) => b - a),
    );
    expect(usage.disks.flatMap(({ holds }) => holds).toSorted()).toEqual(['containers', 'data']);
    for (const disk of usage.disks) expect(disk.freeBytes).toBeLessThan(disk.totalBytes);

    const template = { name: 'later', imageName: 'hangar-unused:1', isServerless: false };
    expect((await engine.http.post('/v1/templates', template)).status).toBeLessThan(300);
    expect(partOf(await measure(engine), 'images')).toMatchObject({ freeableBytes: 0 });
    expect((await engine.http.send('DELETE', `/v1/pods/${id}`)).status).toBe(204);
    for (const name of ['hangar-used:1', 'hangar-unused:1']) await containers.docker.getImage(name).remove();
  });

  test('without a container engine the data folder is measured, and the reason is told', async () => {
    await using engine = await startEngine({ env: { DOCKER_HOST: 'unix:///nothing/here.sock' } });
    const usage = await measure(engine);
    expect(usage.containerProblem).toMatch(/\S/);
    expect(partOf(usage, 'images')).toBeUndefined();
    expect(partOf(usage, 'databases')!.bytes).toBeGreaterThan(0);
    expect(usage.disks).toMatchObject([{ holds: ['data'] }]);
  });
});
