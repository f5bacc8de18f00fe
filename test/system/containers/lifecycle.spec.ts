/**
 * The life of workers in containers, of a shell and of Python: they stream, are cancelled, time out, are killed, run
 * out of memory, are restarted and rolled.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JobView } from '#contract/api/job.ts';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { accepted } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { makeContainerEndpoint, makeVolume, pythonTemplate, shellTemplate, useContainers } from './containerWorkers.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();
/** Until a container with Python has begun a job. */

/** A handler of the public SDK's kind, which does what its job asks for. */
const HANDLER = `
import os, time, runpod

def limited():
    for place in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        if os.path.exists(place):
            limit = open(place).read().strip()
            return limit != "max" and int(limit) < 2**40
    return False

def handler(job):
    task = job["input"].get("task")
    print("doing", task, flush=True)
    if task == "sleep":
        time.sleep(600)
    while task == "wait" and not os.path.exists("/runpod-volume/go"):
        time.sleep(0.05)
    if task == "eat":
        eaten = []
        # Not the memory of the machine.
        while not limited():
            time.sleep(0.05)
        while True:
            eaten.append(bytearray(1024 * 1024))
    return os.environ.get("VERSION", "none")

runpod.serverless.start({"handler": handler})
`;

const STREAM_HANDLER = `
import runpod

def handler(job):
    for n in range(20):
        yield {"n": n}

runpod.serverless.start({"handler": handler})
`;

/** The same in a shell. */
const ANSWER = `
grep -q sleep /tmp/job && sleep 600
grep -q wait /tmp/job && until [ -e /runpod-volume/go ]; do sleep 0.05; done
echo "\\"\${VERSION:-none}\\""`;
const STREAM_ANSWER = `n=0; while [ $n -lt 20 ]; do chunk "{\\"n\\":$n}"; n=$((n + 1)); done; echo '[]'`;

const TEMPLATES = { shell: shellTemplate(ANSWER), python: pythonTemplate(HANDLER) };
type Kind = keyof typeof TEMPLATES;
/** Each of these lasts seconds in which nothing happens: both kinds of images have them at the same time. */
const ofBoth = (life: (kind: Kind) => Promise<void>): Promise<unknown> => Promise.all([life('shell'), life('python')]);

describe('containers: lifecycle', skipFor(none), () => {
  const { containers, start } = useContainers(['shell', 'python']);

  const ofEndpoint = async (endpointId: string) =>
    (await containers().ours()).filter(({ Labels }) => Labels['hangar.endpoint'] === endpointId);
  const idsOf = async (endpointId: string) => (await ofEndpoint(endpointId)).map(({ Id }) => Id);
  const onlyOf = async (endpointId: string) =>
    containers().docker.getContainer(await until('its container', async () => (await idsOf(endpointId))[0]));

  /** Kills its program without the container engine, which would say that it was asked to. */
  const killProgramOf = async (endpointId: string): Promise<void> => {
    const { State: state } = await (await onlyOf(endpointId)).inspect();
    process.kill(state.Pid, 'SIGKILL');
  };

  async function endpointOf(engine: TestEngine, template: object, fields: object = {}) {
    const made = await makeContainerEndpoint(engine, template, { workersMax: 1, idleTimeout: 600, ...fields });
    const { id } = made.endpoint;
    return { ...made, id, jobs: jobsOf(engine, id) };
  }

  test('a worker streams its chunks out of its container, in order', async () => {
    await using engine = await start();
    const templates = { shell: shellTemplate(STREAM_ANSWER), python: pythonTemplate(STREAM_HANDLER) };
    await ofBoth(async (kind) => {
      const { jobs } = await endpointOf(engine, templates[kind]);
      const id = await jobs.run({});
      expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED' });
      const chunks = accepted(await engine.http.get(`${jobs.path}/stream/${id}`)) as { output: unknown }[];
      expect(chunks.map(({ output }) => output)).toEqual(Array.from({ length: 20 }, (_, n) => ({ n })));
    });
  });

  /** The container of a job that will not end by itself goes, and the next job gets a fresh one. */
  async function isReplaced(jobs: Jobs, endpointId: string, blocked: JobView): Promise<void> {
    const next = await jobs.finished(await jobs.run({}));
    expect(next).toMatchObject({ status: 'COMPLETED', output: 'none' });
    expect(next.workerId).not.toBe(blocked.workerId);
    expect((await ofEndpoint(endpointId)).map(({ Labels }) => Labels['hangar.worker'])).toEqual([next.workerId]);
  }

  test('a job that blocks its container is cancelled, or times out, the container goes, and the next job gets a fresh one', async () => {
    await using engine = await start();
    const cancelled = ofBoth(async (kind) => {
      const { id, jobs } = await endpointOf(engine, TEMPLATES[kind]);
      const blocked = await jobs.run({ task: 'sleep' });
      const view = await jobs.reached(blocked, 'IN_PROGRESS');
      expect((await jobs.cancel(blocked)).status).toBe('CANCELLED');
      await isReplaced(jobs, id, view);
    });
    const timedOut = ofBoth(async (kind) => {
      const { id, jobs } = await endpointOf(engine, TEMPLATES[kind]);
      const slow = await jobs.run({ task: 'sleep' }, { policy: { executionTimeout: 5000 } });
      const view = await jobs.finished(slow);
      expect(view).toMatchObject({ status: 'TIMED_OUT', workerId: expect.any(String) as string });
      await isReplaced(jobs, id, view);
    });
    await Promise.all([cancelled, timedOut]);
  });

  test('a job whose program is killed runs again in another one, and fails with the reason the second time', async () => {
    await using engine = await start();
    await ofBoth(async (kind) => {
      const { id: endpointId, jobs } = await endpointOf(engine, TEMPLATES[kind]);
      const id = await jobs.run({ task: 'sleep' });
      const first = await jobs.reached(id, 'IN_PROGRESS');
      await killProgramOf(endpointId);
      const second = await until(
        'the job to run again',
        () => jobs.status(id),
        (view) => view.status === 'IN_PROGRESS' && view.workerId !== first.workerId,
      );
      expect(second).toMatchObject({ retries: 1 });
      await killProgramOf(endpointId);
      const { status, error } = await jobs.finished(id);
      expect(status).toBe('FAILED');
      expect(error).toContain('SIGKILL');
    });
  });

  test('a container that runs out of its memory says so in the error of its job', async () => {
    await using engine = await start();
    const { id: endpointId, jobs } = await endpointOf(engine, TEMPLATES.python);
    const bytes = 128 * 1024 * 1024;
    /** As its administrator may limit every container; one that goes takes no limit any more. */
    const limitAll = async () => {
      for (const id of await idsOf(endpointId)) {
        await containers()
          .docker.getContainer(id)
          .update({ Memory: bytes, MemorySwap: bytes })
          .catch(() => undefined);
      }
    };
    const id = await jobs.run({ task: 'eat' });
    // The job is tried once more, in another container.
    const { error } = await until('the job to be given up', async () => {
      await limitAll();
      const status = await jobs.status(id);
      return status.status === 'FAILED' && status;
    });
    expect(error).toMatch(/out of memory/);
  });

  test('a changed template rolls the containers: the next job runs in one with the new variables', async () => {
    await using engine = await start();
    await ofBoth(async (kind) => {
      const template = TEMPLATES[kind] as { env?: Record<string, string> };
      const withVersion = (version: string) => ({ ...template, env: { ...template.env, VERSION: version } });
      const made = await endpointOf(engine, withVersion('one'));
      const { jobs } = made;
      const before = await jobs.finished(await jobs.run({}));
      expect(before.output).toBe('one');
      const { env } = withVersion('two');
      accepted(await engine.http.send('PATCH', `/v1/templates/${made.template.id}`, { env }));
      const after = await jobs.finished(await jobs.run({}));
      expect(after.output).toBe('two');
      expect(after.workerId).not.toBe(before.workerId);
      await until('the old container to be gone', async () => (await idsOf(made.id)).length, 1);
    });
  });

  test.each(['stopped', 'killed'] as const)(
    'a job whose engine is %s begins again in a new container once there is one, and of the old container nothing is left',
    async (how) => {
      await using engine = await start();
      await using other = await start();
      const neighbour = await endpointOf(other, TEMPLATES.shell);
      await neighbour.jobs.finished(await neighbour.jobs.run({}));
      const volume = await makeVolume(engine);
      const running: { jobs: Jobs; id: string; endpointId: string; before: string[] }[] = [];
      await ofBoth(async (kind) => {
        const { id: endpointId, jobs } = await endpointOf(engine, TEMPLATES[kind], { networkVolumeId: volume.id });
        const id = await jobs.run({ task: 'wait' });
        await jobs.reached(id, 'IN_PROGRESS');
        running.push({ jobs, id, endpointId, before: await idsOf(endpointId) });
      });
      if (how === 'stopped') await engine.stop();
      else await engine.kill9();
      expect((await containers().ours()).length).toBe(how === 'stopped' ? 1 : 3);
      await engine.restart();
      for (const { jobs, id, endpointId, before } of running) {
        await jobs.reached(id, 'IN_PROGRESS');
        const after = await idsOf(endpointId);
        expect(after.length).toBe(1);
        expect(before).not.toContain(after[0]);
      }
      await writeFile(join(volume.folder, 'go'), '');
      for (const { jobs, id } of running) {
        expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED' });
      }
      expect((await idsOf(neighbour.id)).length).toBe(1);
      await Promise.all([engine.stop(), other.stop()]);
      expect(await containers().ours()).toEqual([]);
    },
  );
});
