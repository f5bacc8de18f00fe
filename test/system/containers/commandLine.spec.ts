/**
 * The command line with real containers: `hangar ssh` into a Pod of this computer, and moves and removals of the data
 * folder.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { until } from '../../support/core/until.ts';
import { createHttp } from '../../support/http/client.ts';
import { podsOf } from '../../support/pods/pods.ts';
import { hangar, json, openTerminal, serveOn, whyNoTerminal, type RunningHangar } from '../cli/commandLine.ts';
import { newDataDir, type DataDir } from '../headless/headlessHost.ts';
import { makeContainerEndpoint, shellTemplate, useContainers } from './containerWorkers.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();
const noTerminal = whyNoTerminal();
const reportSchema = z.object({
  checks: z.array(z.object({ name: z.string(), state: z.string(), text: z.string() })),
});

describe('the command line', skipFor(none), () => {
  const { containers } = useContainers(['shell']);
  const env = () => ({ DOCKER_HOST: containers().host });
  const httpOf = ({ api, key }: RunningHangar): Pick<TestEngine, 'http'> => ({ http: createHttp(api, key) });
  const states = async (): Promise<string[]> =>
    (await containers().docker.listContainers({ all: true })).map(({ State: state }) => state);
  let data: DataDir;
  let running: RunningHangar;

  beforeAll(async () => {
    data = await newDataDir();
    running = await serveOn(data.path, env());
  });
  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await data[Symbol.asyncDispose]();
  });

  describe('a Pod', () => {
    beforeAll(async () => {
      const pods = podsOf(httpOf(running));
      const { id } = await pods.make({ name: 'trainer' });
      await pods.running(id);
    });
    afterAll(() => podsOf(httpOf(running)).deleteAll());

    test('ssh runs a command in a Pod, with its output and its exit code', async () => {
      const ended = await hangar(data.path, ['ssh', 'trainer', '--', 'sh', '-c', 'echo in $((40 + 2)); exit 7']);
      expect(ended).toMatchObject({ code: 7, stdout: expect.stringContaining('in 42') as string });
    });

    test('ssh opens a shell on a terminal, in its size', skipFor(noTerminal), async () => {
      const terminal = openTerminal(data.path, ['ssh', 'trainer'], { columns: 101 });
      await terminal.sees('# ');
      terminal.type('busybox stty size\n');
      await terminal.sees('24 101');
      terminal.type('exit 3\n');
      expect(await terminal.ended()).toMatchObject({ code: 3, isRaw: false });
    });

    test('limits show and change what the container may use while it runs on', async () => {
      const limits = (...args: string[]) => ['pods', 'limits', 'trainer', ...args];
      const hostConfigs = async () => {
        const all = await containers().docker.listContainers();
        return Promise.all(all.map(({ Id }) => containers().docker.getContainer(Id).inspect()));
      };
      const [before] = await hostConfigs();
      expect(await json(data.path, limits('--cores', '1', '--memory', '1'))).toMatchObject({
        vcpuCount: 1,
        memoryInGb: 1,
      });
      expect(await hostConfigs()).toMatchObject([
        {
          Id: before?.Id,
          State: { StartedAt: before?.State.StartedAt },
          HostConfig: { NanoCpus: 1e9, Memory: 2 ** 30 },
        },
      ]);
      await json(data.path, limits('--memory', 'all'));
      const { stdout } = await hangar(data.path, [...limits(), '--table']);
      expect(stdout).toContain('The Pod "trainer" may use at most 1 core and all of its memory.');
      expect(await hangar(data.path, limits('--memory', 'much'))).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/Give a number from 1 to \d+, or all\./) as string,
      });
      const tooMuch = await hangar(data.path, limits('--cores', '1024'));
      expect(tooMuch).toMatchObject({ code: 1, stderr: expect.stringMatching(/this machine has \d+/) as string });
    });

    test('ssh refuses a Pod that does not run, and says what starts it', async () => {
      await json(data.path, ['pods', 'stop', 'trainer']);
      expect(await hangar(data.path, ['ssh', 'trainer', '--', 'true'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('"hangar pods start" starts it') as string,
      });
    });
  });

  test('doctor names the Docker and the Python that are there, with and without a running Hangar', async () => {
    const { Version: version } = await containers().docker.version();
    for (const folder of [data.path, join(data.path, 'none')]) {
      // Whatever else it finds on this machine, such as a port in use, is not what this test is about.
      const { stdout } = await hangar(folder, ['doctor'], { env: env() });
      const { checks } = reportSchema.parse(JSON.parse(stdout));
      const of = (name: string) => checks.find((check) => check.name === name);
      const text = `Docker ${version} at ${containers().host}`;
      expect(of('Containers')).toEqual({ name: 'Containers', state: 'ok', text });
      expect(of('Python')).toEqual({
        name: 'Python',
        state: 'ok',
        text: expect.stringMatching(/^3\.\d+\.\d+/) as string,
      });
    }
  });

  test('a move waits for Pods that run, and Pods and workers start from the new folder', async () => {
    const http = httpOf(running);
    const pods = podsOf(http);
    const { id } = await pods.make({ name: 'kept', volumeInGb: 1, volumeMountPath: '/workspace' });
    await pods.running(id);
    const wrote = await hangar(data.path, ['ssh', 'kept', '--', 'sh', '-c', 'echo 42 > /workspace/answer']);
    expect(wrote.code).toBe(0);
    await makeContainerEndpoint(http as TestEngine, shellTemplate('echo 1'), { workersMin: 1, workersMax: 1 });
    await until('a worker beside the Pod', states, (all) => all.length === 2 && !all.includes('created'));

    const to = `${data.path}-new`;
    const refused = await hangar(data.path, ['data', 'move', to, '--stop'], { env: env() });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Pods run and write') as string });
    expect(existsSync(to)).toBe(false);
    // Hangar and its containers run on.
    expect((await pods.get(id)).desiredStatus).toBe('RUNNING');

    await json(data.path, ['pods', 'stop', 'kept']);
    await json(data.path, ['data', 'move', to, '--stop'], { env: env() });
    expect(await states()).toEqual([]);
    expect(readdirSync(data.path)).toEqual(['moved-to.json']);

    await using moved = await serveOn(to, env());
    const after = podsOf(httpOf(moved));
    await after.act(id, 'start');
    await after.running(id);
    const read = await hangar(to, ['ssh', 'kept', '--', 'cat', '/workspace/answer']);
    expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('42') as string });
    await until('a worker beside the Pod', states, (all) => all.length === 2 && !all.includes('created'));

    // A removal takes containers that run, too.
    const { left } = z
      .object({ left: z.array(z.string()) })
      .parse(await json(to, ['data', 'remove', '--yes', '--force'], { env: env() }));
    expect(left).toEqual([]);
    expect(await states()).toEqual([]);
    expect(existsSync(join(to, 'pods'))).toBe(false);
  });
});
