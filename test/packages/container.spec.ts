/**
 * The container image of Hangar: built from the Debian package without a network, run as no root, with its data in a
 * volume.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startContainerEngine, whyNoContainers, type TestContainerEngine } from '../support/containers/engine.ts';
import { until } from '../support/core/until.ts';
import { createHttp } from '../support/http/client.ts';
import { debianBase, whyNoDebianRoot } from './debianRoot.ts';
import { jobsAt, makeEndpoint } from './installed.ts';
import { OLDER, madePackages } from './made.ts';
import { skipFor } from '../support/core/skip.ts';

const { debs } = madePackages();
const whyNot = debs === null ? 'no Debian package can be made here' : (whyNoContainers() ?? whyNoDebianRoot());
const packaging = resolve(import.meta.dirname, '../../packaging/container/Dockerfile');
const KEY = 'rpa_container_test_key';

describe('the container image', skipFor(whyNot), () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-image-'));
  let engine: TestContainerEngine;

  function docker(...args: string[]): string {
    const env = { ...process.env, DOCKER_HOST: engine.host, DOCKER_BUILDKIT: '0' };
    const { status, stdout, stderr } = spawnSync('docker', args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`docker ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
    return stdout.trim();
  }
  const inspect = (name: string, format: string): string => docker('inspect', '--format', format, name);

  beforeAll(async () => {
    engine = await startContainerEngine();
    docker('import', debianBase(), 'base:test');
    const context = join(folder, 'context');
    mkdirSync(context);
    const deb = debs?.older ?? '';
    copyFileSync(deb, join(context, basename(deb)));
    docker(
      'build',
      '--network',
      'none',
      '--build-arg',
      'BASE=base:test',
      '-f',
      packaging,
      '-t',
      'hangar:test',
      context,
    );
  });
  afterAll(async () => {
    await engine.closeEmpty();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts it with its data in the volume `data`, waits until Docker calls it healthy, and returns its API. */
  async function start(name: string): Promise<ReturnType<typeof createHttp>> {
    docker(
      'run',
      '--detach',
      '--health-interval',
      '1s',
      '--name',
      name,
      '-v',
      'data:/data',
      '-e',
      `HANGAR_API_KEY=${KEY}`,
      'hangar:test',
    );
    await until(
      'the container to be healthy',
      () => inspect(name, '{{.State.Status}} {{.State.Health.Status}}'),
      (state) => {
        if (state.startsWith('exited')) throw new Error(docker('logs', name));
        return state === 'running healthy';
      },
    );
    const address = inspect(name, '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}');
    return createHttp(`http://${address}:47800`, KEY);
  }

  test('runs jobs as no root, and keeps its data in the volume over the end of a container', async () => {
    const first = await start('first');
    expect(docker('exec', 'first', 'id', '-u')).toBe('10001');
    expect(docker('exec', 'first', 'hangar', '--version')).toBe(OLDER);
    const handler = join(folder, 'handler');
    mkdirSync(handler);
    writeFileSync(
      join(handler, 'handler.mjs'),
      'export default (job) => ({ n: job.input.n, uid: process.getuid() });\n',
    );
    docker('cp', handler, 'first:/data/handler');
    const endpointId = await makeEndpoint(first, '/data/handler');
    const jobs = jobsAt(first, endpointId);
    const id = await jobs.run({ n: 1 });
    expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED', output: { n: 1, uid: 10001 } });
    first.stop();
    docker('stop', '--time', '30', 'first');
    expect(inspect('first', '{{.State.ExitCode}}')).toBe('0');
    docker('rm', 'first');

    const second = await start('second');
    expect((await jobsAt(second, endpointId).status(id)).status).toBe('COMPLETED');
    second.stop();
    docker('rm', '--force', 'second');
  });

  test('names its user, its volume, its ports and its licences', () => {
    const config = JSON.parse(inspect('hangar:test', '{{json .Config}}')) as Record<string, unknown>;
    expect(config).toMatchObject({
      User: '10001:10001',
      Volumes: { '/data': {} },
      ExposedPorts: { '47800/tcp': {}, '47801/tcp': {} },
      StopSignal: 'SIGTERM',
    });
    const read = ['run', '--rm', '--entrypoint', '/bin/cat', 'hangar:test', '/opt/hangar/LICENSES.txt'];
    expect(docker(...read)).toContain('Node.js');
  });
});
