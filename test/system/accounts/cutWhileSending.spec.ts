/**
 * Jobs whose sending is cut: what is said of them is what is known. The service answers, or does not, on real sockets.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAccountApp, type AccountApp } from '../../support/accounts/accountApp.ts';
import { followJobs, type FollowedJobs } from '../../support/accounts/followedJobs.ts';
import { startRemote, type Fault, type Remote } from '../../support/remote/remote.ts';

let remote: Remote;
let app: AccountApp;
let jobs: FollowedJobs;
let accountId: string;
let endpointId: string;
beforeEach(async () => {
  remote = await startRemote();
  app = startAccountApp();
  jobs = followJobs(app);
  ({ id: endpointId } = remote.addEndpoint({ name: 'slow' }, null));
  const addresses = { ...remote.v2, graphql: null };
  ({ id: accountId } = await app.changes.add({ preset: 'runpod', name: 'Work', key: remote.key, addresses }));
});
afterEach(async () => {
  await jobs[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
  await remote.stop();
});

const send = (entryId: string = randomUUID()) =>
  jobs.sender.submit({ entryId, accountId, endpointId, endpointName: 'slow', mode: 'run', body: '{"input":{}}' });
const failing = (as: Fault['as']) => remote.fault({ area: 'jobs', method: 'POST', path: /run$/, times: 1, as });
const answer = (status: number): Fault['as'] => ({ status, json: { error: 'said so' } });

describe('a job that is sent', () => {
  it('is one request to the service, under the id and the name that its sender chose', async () => {
    remote.requests.length = 0;
    const entryId = randomUUID();
    expect(await send(entryId)).toMatchObject({
      entryId,
      endpointName: 'slow',
      accountName: 'Work',
      status: 'IN_QUEUE',
    });
    expect(
      remote.requests.map(({ method, path }) => `${method} ${path}`).filter((line) => !line.includes('/st')),
    ).toEqual([`POST ${endpointId}/run`]);
  });

  it('is sent to the service once where its sender repeats it, before the answer or after it', async () => {
    const entryId = randomUUID();
    const [first, repeated] = await Promise.all([send(entryId), send(entryId)]);
    expect(repeated).toEqual(first);
    expect(await send(entryId)).toMatchObject({ entryId, jobId: first?.jobId });
    expect(remote.jobs.all()).toHaveLength(1);
    expect(jobs.ledger.list({}, 0, 10).total).toBe(1);
  });
});

describe('a job that no answer came for', () => {
  it.each<[string, Fault['as'], number]>([
    ['the line is cut once the service has it', 'lost', 1],
    ['the line is cut before the service has it', 'drop', 0],
    ['the line is cut in the middle of the answer', 'cut', 1],
    ['what stands before the service gave up waiting', answer(504), 0],
    ['the answer is not that of a job', { status: 200, json: { queued: true } }, 0],
  ])('is neither refused nor sent twice by itself, and nobody claims to know: %s', async (_, as, there) => {
    failing(as);
    const entry = await send();
    expect(entry).toMatchObject({ status: 'UNANSWERED', jobId: null, finishedAt: expect.any(Number) as number });
    expect(entry.error).toMatch(/It is not known whether the service has this job.*may run twice/);
    expect(remote.jobs.all()).toHaveLength(there);
    expect(jobs.ledger.list({ statuses: ['UNANSWERED'] }, 0, 10)).toMatchObject({ matching: 1 });
    expect(jobs.ledger.unfinished()).toEqual([]);
    // What it was sent with is kept, so that it can be sent again.
    expect(jobs.ledger.detail(entry.entryId).body).toBe('{"input":{}}');
    expect(await send()).toMatchObject({ status: 'IN_QUEUE' });
    expect(remote.jobs.all()).toHaveLength(there + 1);
  });

  it('was not sent where nobody answered the call, and is refused where the service says so', async () => {
    failing(answer(400));
    expect(await send()).toMatchObject({ status: 'REFUSED', error: 'said so' });
    failing(answer(503));
    expect(await send()).toMatchObject({ status: 'REFUSED', error: 'said so' });
    await remote.goOffline();
    // A connection that was open before: whether a request came through it is not known. One that fails to read closes
    // it.
    await expect(app.directory.compute(accountId).management.endpoints()).rejects.toThrow();
    const entry = await send();
    expect(entry.status).toBe('REFUSED');
    expect(entry.error).toMatch(/The job was not sent\.$/);
  });

  it('is found so by the next start where Hangar itself ended in between', () => {
    const names = { accountId, accountName: 'Work', endpointId, endpointName: 'slow', mode: 'run' } as const;
    jobs.ledger.add({ entryId: 'e', ...names, sentAt: 1 }, '{"input":{}}');
    jobs.sender.resume();
    expect(jobs.ledger.entry('e')).toMatchObject({ status: 'UNANSWERED' });
  });
});
