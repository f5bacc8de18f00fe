/** A worker that sends chunks faster than they can be stored: a real connection, on a store that commits when told. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { defaultLimits } from '#contract/local/settings.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { standsStill, until } from '../../../../test/support/core/until.ts';
import { ENDPOINT, setUp } from '../../../../test/support/jobs/rules.ts';
import type { Call } from '../http/route.ts';
import { receiveChunks, type ChunkIntakeOptions } from './chunkUpload.ts';

const MB = 1024 * 1024;

test('an open POST of chunks is not read on while 1 MB of it waits for the disk, and goes on after the commit', async () => {
  const rules = setUp();
  const job = rules.submit();
  rules.take('w');
  const worker = rules.jobs.workers.get('w')!;
  // Lines this short need neither the reader of whole bodies nor the thread of large ones.
  const options = { jobs: rules.jobs, logger: silentLogger, limits: defaultLimits } as ChunkIntakeOptions;
  let readBytes = 0;
  const server = createServer((received, response) => {
    received.on('data', (part: Buffer) => (readBytes += part.length));
    const call = {
      endpoint: { id: ENDPOINT } as Endpoint,
      caller: {} as Call['caller'],
      first: 'w',
      second: job.id,
      rest: '',
    };
    receiveChunks({ request: received, response, ...call, query: new URLSearchParams('ndjson=1') }, worker, options);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const count = 40_000;
  const line = (n: number): string => `{"output":"${n}:${'x'.repeat(1000)}"}\n`;
  const sending = request({ port, host: '127.0.0.1', method: 'POST', agent: false });
  let answer: IncomingMessage | undefined;
  sending.on('response', (response) => (answer = response.resume()));
  // Of a connection that is cut because the test has failed.
  sending.on('error', () => undefined);
  for (let n = 0; n < count; n++) sending.write(line(n));
  sending.end();
  try {
    await until('something to be read', () => readBytes > 0);
    await standsStill('what is read of it', () => readBytes);
    expect(readBytes).toBeLessThan(2 * MB);
    await until('all of it to be stored', () => {
      rules.store.commitAll();
      return answer;
    });
    expect(answer?.statusCode).toBe(200);
    expect(job.chunks?.total).toBe(count);
  } finally {
    sending.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});
