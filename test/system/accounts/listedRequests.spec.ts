/** Jobs that others sent to an account: what its `/requests` lists is in the list of jobs while a window shows it. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { pino } from 'pino';
import { systemClock } from '../../../main/app/platform/clock.ts';
import { createFeeds } from '../../../main/app/streams/feeds.ts';
import { startAccountApp } from '../../support/accounts/accountApp.ts';
import { followJobs } from '../../support/accounts/followedJobs.ts';
import { until } from '../../support/core/until.ts';
import { createHttp } from '../../support/http/client.ts';
import { startRemote } from '../../support/remote/remote.ts';

it('lists the jobs of a script with their results, and once those that were sent from here', async () => {
  await using remote = await startRemote();
  await using app = startAccountApp();
  await using jobs = followJobs(app);
  const { ledger, sender } = jobs;
  const { id: accountId } = await app.changes.add({
    preset: 'addresses',
    name: 'Work',
    key: remote.key,
    addresses: remote.v1,
  });
  const { management } = app.directory.compute(accountId);
  const template = await management.createTemplate({ name: 't', imageName: 'me/image', isServerless: true });
  const { id: endpointId } = await management.createEndpoint({ name: 'echo', templateId: template.id });
  const script = createHttp(remote.v1.jobs, remote.key);
  const sent = (await script.post(`/v2/${endpointId}/run`, { input: { prompt: 'a cat' } })).json as { id: string };
  script.stop();
  const feeds = createFeeds({
    accounts: { list: () => app.directory.list(), onChange: () => () => undefined },
    compute: (id) => app.directory.compute(id),
    journal: ledger,
    isSending: sender.isSending,
    chunksRead: () => Promise.resolve(),
    hasRoom: () => true,
    followWebhooks: () => undefined,
    onWritten: () => undefined,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
  const own = await sender.submit({
    entryId: randomUUID(),
    accountId,
    endpointId,
    endpointName: 'echo',
    mode: 'run',
    body: '{"input":{"prompt":"a dog"}}',
  });
  feeds.start();
  // Nobody looks, so nothing is asked.
  expect(ledger.list({ accountId }, 0, 10).entries.map(({ jobId }) => jobId)).toEqual([own.jobId]);
  const leave = feeds.attend();
  const { entries } = await until(
    'both jobs',
    () => Promise.resolve(ledger.list({ accountId, statuses: ['COMPLETED'] }, 0, 10)),
    ({ matching }) => matching === 2,
  );
  const { entryId } = entries.find(({ jobId }) => jobId === sent.id) ?? { entryId: '' };
  // Results are asked for after the list.
  const output = await until(
    'the result',
    () => Promise.resolve(ledger.output(entryId)),
    (text) => text !== null,
  );
  leave();
  await feeds.stop();
  expect(entries.map(({ jobId, source }) => [jobId, source]).toSorted()).toEqual(
    [
      [sent.id, 'api'],
      [own.jobId, 'window'],
    ].toSorted(),
  );
  expect(output).toBe('{"echo":{"prompt":"a cat"}}');
});
