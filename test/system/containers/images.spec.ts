/** Images run unchanged: with their own command or the template's, the variables of the worker protocol, and their folders. */
import { describe, expect, test } from 'vitest';
import { whyNoContainers } from '../../support/containerEngine.ts';
import { jobsOf } from '../../support/jobs.ts';
import { makeContainerEndpoint, shellTemplate, useContainers } from './containerWorkers.ts';

const none = whyNoContainers();

if (none !== null) test('containers: images', ({ skip }) => skip(none));
describe.skipIf(none !== null)('containers: images', () => {
  const { containers, start } = useContainers(['shell']);

  test('an image without anything of ours serves jobs through the worker protocol, and is gone when the engine is', async () => {
    await using engine = await start();
    const { endpoint } = await makeContainerEndpoint(engine, shellTemplate('echo "\\"hello from $RUNPOD_POD_ID\\""'));
    const jobs = jobsOf(engine, endpoint.id);
    const job = await jobs.finished(await jobs.run({}), 30_000);
    expect(job).toMatchObject({ status: 'COMPLETED', output: `hello from ${job.workerId}` });
    expect((await containers().ours()).length).toBe(1);
    await engine.stop();
    expect(await containers().ours()).toEqual([]);
  });
});
