/** The life of workers in containers: they stream, are cancelled, time out, are killed, run out of memory, and are rolled. */
import { describe, expect, test } from 'vitest';
import { whyNoContainers, type TestContainerEngine } from '../../support/containerEngine.ts';
import { jobsOf } from '../../support/jobs.ts';
import { accepted } from '../../support/resources.ts';
import { until } from '../../support/until.ts';
import { makeContainerEndpoint, pythonTemplate, useContainers } from './containerWorkers.ts';

const none = whyNoContainers();
/** Until a container with Python has begun a job. */
const WITHIN_MS = 40_000;

/** A handler of the public SDK's kind, which does what its job asks for. */
const HANDLER = `
import os, time, runpod

def handler(job):
    todo = job["input"].get("todo")
    print("doing", todo, flush=True)
    if todo == "sleep":
        time.sleep(600)
    if todo == "eat":
        eaten = []
        while True:
            eaten.append(bytearray(1024 * 1024))
    return {"version": os.environ.get("VERSION"), "worker": os.environ["RUNPOD_POD_ID"]}

runpod.serverless.start({"handler": handler})
`;

const STREAM_HANDLER = `
import runpod

def handler(job):
    for n in range(job["input"]["n"]):
        yield {"n": n}

runpod.serverless.start({"handler": handler, "return_aggregate_stream": True})
`;

if (none !== null) test('containers: lifecycle', ({ skip }) => skip(none));
describe.skipIf(none !== null)('containers: lifecycle', () => {
  const { containers, start } = useContainers(['python']);
  const only = async ({ docker, ours }: TestContainerEngine) => docker.getContainer((await ours())[0]!.Id);

  test('a generator streams its chunks out of a container, in order, and the whole is the output', async () => {
    await using engine = await start();
    const { endpoint } = await makeContainerEndpoint(engine, pythonTemplate(STREAM_HANDLER));
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({ n: 20 });
    const expected = Array.from({ length: 20 }, (_, n) => ({ n }));
    expect(await jobs.finished(id, WITHIN_MS)).toMatchObject({ status: 'COMPLETED', output: expected });
    const chunks = accepted(await engine.http.get(`${jobs.path}/stream/${id}`)) as { output: unknown }[];
    expect(chunks.map(({ output }) => output)).toEqual(expected);
  });

  test('a job that blocks its container is cancelled, the container goes, and the next job gets a fresh one', async () => {
    await using engine = await start();
    const { endpoint } = await makeContainerEndpoint(engine, pythonTemplate(HANDLER), { workersMax: 1 });
    const jobs = jobsOf(engine, endpoint.id);
    const blocked = await jobs.run({ todo: 'sleep' });
    const { workerId } = await jobs.reached(blocked, 'IN_PROGRESS', WITHIN_MS);
    expect((await jobs.cancel(blocked)).status).toBe('CANCELLED');
    const next = await jobs.finished(await jobs.run({}), WITHIN_MS);
    expect(next).toMatchObject({ status: 'COMPLETED' });
    expect(next.workerId).not.toBe(workerId);
    const names = (await containers().ours()).flatMap(({ Names }) => Names);
    expect(names).toEqual([`/hangar-${next.workerId}`]);
  });

  test('a job that takes longer than it may times out, and its container is ended', async () => {
    await using engine = await start();
    const { endpoint } = await makeContainerEndpoint(engine, pythonTemplate(HANDLER), { workersMax: 1 });
    const jobs = jobsOf(engine, endpoint.id);
    const slow = await jobs.run({ todo: 'sleep' }, { policy: { executionTimeout: 5000 } });
    expect(await jobs.finished(slow, WITHIN_MS)).toMatchObject({ status: 'TIMED_OUT' });
    await until('its container to be gone', async () => (await containers().ours()).length === 0, { withinMs: 20_000 });
  });

  test('a job whose container is killed runs again in another one, and fails with the reason the second time', async () => {
    await using engine = await start();
    const { endpoint } = await makeContainerEndpoint(engine, pythonTemplate(HANDLER), { workersMax: 1 });
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({ todo: 'sleep' });
    const first = await jobs.reached(id, 'IN_PROGRESS', WITHIN_MS);
    await (await only(containers())).kill();
    const second = await until(
      'the job to run again',
      async () => {
        const view = await jobs.status(id);
        return view.status === 'IN_PROGRESS' && view.workerId !== first.workerId && view;
      },
      { withinMs: WITHIN_MS },
    );
    expect(second).toMatchObject({ retries: 1 });
    await (await only(containers())).kill();
    const { status, error } = await jobs.finished(id, WITHIN_MS);
    expect(status).toBe('FAILED');
    expect(error).toContain('SIGKILL');
  });

  test('a container that runs out of its memory says so in the error of its job', async () => {
    await using engine = await start();
    const { endpoint } = await makeContainerEndpoint(engine, pythonTemplate(HANDLER), { workersMax: 1 });
    const jobs = jobsOf(engine, endpoint.id);
    await jobs.finished(await jobs.run({}), WITHIN_MS);
    const bytes = 128 * 1024 * 1024;
    // As its administrator may limit every container.
    await (await only(containers())).update({ Memory: bytes, MemorySwap: bytes });
    const id = await jobs.run({ todo: 'eat' });
    const view = await until(
      'the job to be given up or tried again',
      async () => {
        const seen = await jobs.status(id);
        return (seen.status === 'FAILED' || (seen.retries ?? 0) > 0) && seen;
      },
      { withinMs: WITHIN_MS },
    );
    if (view.status !== 'FAILED') {
      await until('its second container', async () => (await containers().ours()).length === 1, {
        withinMs: WITHIN_MS,
      });
      await (await only(containers())).update({ Memory: bytes, MemorySwap: bytes });
    }
    const { error } = await jobs.finished(id, WITHIN_MS);
    expect(error).toMatch(/memory/i);
  });

  test('a changed template rolls the containers: the next job runs in one with the new variables', async () => {
    await using engine = await start();
    const template = pythonTemplate(HANDLER) as { env: Record<string, string> };
    const withVersion = (version: string) => ({ ...template, env: { ...template.env, VERSION: version } });
    const made = await makeContainerEndpoint(engine, withVersion('one'), { workersMax: 1, idleTimeout: 600 });
    const jobs = jobsOf(engine, made.endpoint.id);
    const before = await jobs.finished(await jobs.run({}), WITHIN_MS);
    expect(before.output).toMatchObject({ version: 'one' });
    const { env } = withVersion('two');
    accepted(await engine.http.send('PATCH', `/v1/templates/${made.template.id}`, { env }));
    const after = await jobs.finished(await jobs.run({}), WITHIN_MS);
    expect(after.output).toMatchObject({ version: 'two' });
    expect(after.workerId).not.toBe(before.workerId);
    await until('the old container to be gone', async () => (await containers().ours()).length === 1);
  });
});
