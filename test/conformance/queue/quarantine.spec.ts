import { expect, test } from 'vitest';
import type { EngineFacts, JobTimeline } from '#contract/local/engine.ts';
import type { SetAside } from '#contract/local/machine.ts';
import { allCrashedTwice, crash, NEVER_ENDS } from '../../support/engine/crashes.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint } from '../../support/resources/resources.ts';
import { messageOf } from '../../support/http/client.ts';

const setAside = async (on: TestEngine): Promise<SetAside[]> =>
  accepted(await on.http.get('/local/v1/set-aside')) as SetAside[];
const waitingOf = async (on: TestEngine, job: string): Promise<JobTimeline['waiting']> =>
  (accepted(await on.http.get(`/local/v1/jobs/${job}`)) as JobTimeline).waiting;
const release = (on: TestEngine, job: string) => on.http.post(`/local/v1/jobs/${job}/release`);
const notices = async (on: TestEngine): Promise<string[]> =>
  (accepted(await on.http.get('/local/v1/engine')) as EngineFacts).notices;

test('a stop as it should be is no crash, however often; a job that runs at two crashes is set aside until it is released', async () => {
  await using engine = await startEngine();
  const { endpoint } = await makeEndpoint(engine, { 'handler.mjs': NEVER_ENDS }, { endpoint: { workersMax: 1 } });
  const endpointId = endpoint.id;
  const jobs = jobsOf(engine, endpointId);
  const id = await jobs.run({});
  for (let time = 0; time < 2; time++) {
    await jobs.reached(id, 'IN_PROGRESS');
    await engine.stop();
    await engine.restart();
  }
  for (let time = 0; time < 2; time++) {
    await jobs.reached(id, 'IN_PROGRESS');
    expect(await setAside(engine)).toEqual([]);
    await crash(engine);
  }

  expect(await setAside(engine)).toMatchObject([{ id, endpointId, crashes: 2 }]);
  const words = `A job was running each time the engine crashed: ${id} of ${endpointId}. It is set aside and handed to no worker: release or cancel it.`;
  expect(await notices(engine)).toEqual([words]);
  expect(engine.notices).toEqual([words]);
  const other = await jobs.run({});
  // The only worker takes the job behind it.
  await jobs.reached(other, 'IN_PROGRESS');
  expect((await jobs.status(id)).status).toBe('IN_QUEUE');
  const waiting = await waitingOf(engine, id);
  expect(waiting).toMatchObject({ code: 'set-aside', ahead: 0 });
  expect(waiting?.message).toContain('crashed, 2 times');

  // Released, it is tried again, and one crash more does not set it aside.
  expect(accepted(await release(engine, id))).toMatchObject({ id, lowPriority: false });
  expect([await setAside(engine), await notices(engine)]).toEqual([[], []]);
  const again = await release(engine, id);
  expect(again.status).toBe(400);
  expect(messageOf(again)).toBe('This job is not set aside; there is nothing to release.');
  expect((await release(engine, 'nobody')).status).toBe(404);
  await jobs.cancel(other);
  await jobs.reached(id, 'IN_PROGRESS');
  await crash(engine);
  await jobs.reached(id, 'IN_PROGRESS');
});

test('what is set aside can be cancelled and purged', async () => {
  await using engine = await startEngine();
  const [cancelled, purged] = await allCrashedTwice(engine, 2);
  const all = await setAside(engine);
  const jobsWith = (job: string): Jobs => jobsOf(engine, all.find(({ id }) => id === job)?.endpointId ?? '');
  await jobsWith(cancelled!).cancel(cancelled!);
  expect(await setAside(engine)).toMatchObject([{ id: purged }]);
  const answer = await engine.http.post(`${jobsWith(purged!).path}/purge-queue`);
  expect(accepted(answer)).toEqual({ removed: 1, status: 'completed' });
  for (const id of [cancelled!, purged!]) expect((await jobsWith(id).status(id)).status).toBe('CANCELLED');
  expect(await setAside(engine)).toEqual([]);
});
