/** What /requests tells while changes are being written, on a store that commits when told. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Endpoint } from '#contract/api/resources.ts';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { createHttp } from '../../../../test/support/http/client.ts';
import { ENDPOINT, setUp } from '../../../../test/support/jobs/rules.ts';
import { limits } from '#contract/core/limits.ts';
import { createQueueRoutes } from './queueRoutes.ts';

/** One GET /requests: `asked` settles when the route has it, `answer` with what it answers. */
async function withRequests(
  rules: ReturnType<typeof setUp>,
  use: (get: () => Promise<{ answered: () => boolean; answer: Promise<unknown> }>) => Promise<void>,
): Promise<void> {
  const { requests } = createQueueRoutes({ clock: rules.clock, jobs: rules.jobs, logger: silentLogger });
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const endpoint = { id: ENDPOINT } as Endpoint;
    const caller = { kind: 'key', name: null, scope: 'all', endpointIds: [] } as const;
    requests?.run({ request, response, endpoint, caller, first: '', second: '', rest: '', query: null });
    server.emit('asked', response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const http = createHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key');
  try {
    await use(async () => {
      const requested = once(server, 'asked') as Promise<[ServerResponse]>;
      const answer = http.get('/').then(({ json }) => json);
      const [response] = await requested;
      return { answered: () => response.headersSent, answer };
    });
  } finally {
    http.stop();
    server.close();
    await once(server, 'close');
  }
}

test('a job whose last change is being written is told once that is on disk', async () => {
  const rules = setUp();
  const settled = rules.submit();
  const changing = rules.submit();
  await withRequests(rules, async (get) => {
    rules.jobs.cancel(changing, () => undefined);
    const { answered, answer } = await get();
    expect(answered()).toBe(false);
    rules.store.commit();
    expect(await answer).toMatchObject({
      requests: [
        { id: changing.id, status: 'CANCELLED' },
        { id: settled.id, status: 'IN_QUEUE' },
      ],
    });
  });
  expect(rules.clock.pending()).toBeLessThanOrEqual(1);
});

test('a job that could not be written is told as its row says, or not at all where it has none', async () => {
  const rules = setUp();
  const storedJob = rules.submit();
  await withRequests(rules, async (get) => {
    rules.jobs.cancel(storedJob, () => undefined);
    const submission = { request: { input: {} }, body: '{"input":{}}', sync: false, retentionMs: 1000 };
    rules.jobs.submit({ endpointId: ENDPOINT, ...submission }, () => undefined);
    const { answered, answer } = await get();
    expect(answered()).toBe(false);
    rules.store.commit(new Error('the disk is full'));
    expect(await answer).toMatchObject({ requests: [{ id: storedJob.id, status: 'IN_QUEUE' }] });
  });
});

test('a disk that does not come to an end holds the answer only so long', async () => {
  const rules = setUp();
  const job = rules.submit();
  await withRequests(rules, async (get) => {
    rules.jobs.cancel(job, () => undefined);
    const { answer } = await get();
    rules.clock.advance(limits.streamHoldMs);
    expect(await answer).toMatchObject({ requests: [{ id: job.id }] });
    rules.store.commit();
  });
});
