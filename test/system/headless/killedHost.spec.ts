/** A host that was killed while a job ran: the next one says so, and the job runs again. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { CrashNotice } from '#contract/app/crash.ts';
import { requireValue } from '#contract/core/requireValue.ts';
import { connect, newDataDir, pair, startHost, type BridgeClient, type Host, type Page } from './headlessHost.ts';

const HERE = 'this-machine';
const ANY_PORTS = ['--port', '0', '--ui-port', '0', '--json'];

it('a host says that the last one was killed while a job ran here, and nothing of one that was stopped', async () => {
  await using dataDir = await newDataDir();
  const flags = ['--data-dir', dataDir.path, ...ANY_PORTS];
  const entryId = randomUUID();
  const words = Array.from({ length: 20 }, (_, index) => `word${index}`);
  {
    const host = startHost(flags);
    const { client, closed } = await open(host);
    const endpoints = await client.endpoints.list({ accountId: HERE });
    const { id, name } = requireValue(
      endpoints.find((endpoint) => endpoint.name === 'stream-words'),
      'the sample',
    );
    expect(await crashesOf(client)).toEqual([]);
    const body = JSON.stringify({ input: { text: words.join(' '), delayMs: 200 } });
    await client.jobs.submit({ entryId, endpointName: name, accountId: HERE, endpointId: id, mode: 'run', body });
    for await (const event of await client.jobs.watch({ entryId })) {
      if (event.type !== 'entry' && event.chunks.length > 0) break;
    }
    host.child.kill('SIGKILL');
    await host.exited();
    await closed;
  }
  {
    await using host = startHost(flags);
    await using page = await open(host);
    expect(await crashesOf(page.client)).toMatchObject([
      { part: 'last-run', cause: expect.stringContaining('while a job ran on this computer'), report: null },
    ]);
    let status;
    for await (const event of await page.client.jobs.watch({ entryId })) {
      // On a slow machine the job has ended before it is watched: its snapshot is then all that comes.
      if (event.type !== 'chunks') status = event.entry.status;
    }
    expect(status).toBe('COMPLETED');
    await host.stop();
  }
  await using host = startHost(flags);
  await using page = await open(host);
  expect(await crashesOf(page.client)).toEqual([]);
});

async function open(host: Host): Promise<Page> {
  const { ui } = await host.ready();
  const link = requireValue(ui, 'the link of the page');
  return connect(link, await pair(link));
}

/** What the page shows of crashes. */
async function crashesOf(client: BridgeClient): Promise<readonly CrashNotice[]> {
  for await (const notices of await client.host.crashes.watch()) return notices;
  return [];
}
