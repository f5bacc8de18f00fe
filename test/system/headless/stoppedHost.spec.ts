/** A host that a person stops while a job runs: it says what becomes of the job, and so does the job later. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { requireValue } from '#contract/core/requireValue.ts';
import { needsPosix } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { connect, newDataDir, pair, startHost, type Host, type Page } from './headlessHost.ts';

const HERE = 'this-machine';

describe('Ctrl+C', needsPosix, () => {
  it('says at once what it interrupts, and the job says why it started again', async () => {
    await using dataDir = await newDataDir();
    // Without --json, as a person starts it.
    const flags = ['--data-dir', dataDir.path, '--port', '0', '--ui-port', '0'];
    const entryId = randomUUID();
    {
      const host = startHost(flags);
      const { client, closed } = await open(host);
      const endpoints = await client.endpoints.list({ accountId: HERE });
      const { id, name } = requireValue(
        endpoints.find((endpoint) => endpoint.name === 'stream-words'),
        'the sample',
      );
      // Longer than the time that a worker has to end its job.
      const text = Array.from({ length: 12 }, (_, index) => `word${index}`).join(' ');
      const body = JSON.stringify({ input: { text, delayMs: limits.workerGraceMs / 6 } });
      await client.jobs.submit({ entryId, endpointName: name, accountId: HERE, endpointId: id, mode: 'run', body });
      for await (const event of await client.jobs.watch({ entryId })) {
        if (event.type !== 'entry' && event.chunks.length > 0) break;
      }
      host.child.kill('SIGINT');
      const { code, stderr } = await host.exited();
      await closed;
      expect(code).toBe(0);
      expect(stderr).toBe(
        'Stopping. Now running: 1 job. Jobs that do not end within 5 s go back to the queue. Press Ctrl+C again to stop at once.\n',
      );
    }
    await using host = startHost(flags);
    await using page = await open(host);
    for await (const event of await page.client.jobs.watch({ entryId })) {
      if (event.type === 'entry' && event.entry.status === 'COMPLETED') break;
    }
    expect(await page.client.jobs.attempts({ entryId })).toMatchObject([{ endedBy: 'stopped' }]);
  });
});

async function open(host: Host): Promise<Page> {
  const line = await until('the link of the page', () => host.stdout.find((text) => text.includes('?pair=')) ?? null);
  const link = requireValue(/http\S+/.exec(line)?.[0], 'the address');
  return connect(link, await pair(link));
}
