/** A host that was killed while a job ran: the next one says so, and knows how the job ended. */
import { expect, it } from 'vitest';
import type { CrashNotice } from '#contract/app/crash.ts';
import { requireValue } from '#contract/core/requireValue.ts';
import { connect, newDataDir, pair, startHost, type BridgeClient, type Host, type Page } from './headlessHost.ts';
import { startWaitingJob, statusAtEnd } from './waitingJob.ts';

const ANY_PORTS = ['--port', '0', '--ui-port', '0', '--json'];

it('a host says that the last one was killed while a job ran here, and nothing of one that was stopped', async () => {
  await using dataDir = await newDataDir();
  const flags = ['--data-dir', dataDir.path, ...ANY_PORTS];
  let entryId: string;
  {
    const host = startHost(flags);
    const { client, closed } = await open(host);
    expect(await crashesOf(client)).toEqual([]);
    const job = await startWaitingJob(client, dataDir.path);
    ({ entryId } = job);
    host.child.kill('SIGKILL');
    await host.exited();
    await closed;
    // The engine gives the job the time to end.
    await job.goOn();
  }
  {
    await using host = startHost(flags);
    await using page = await open(host);
    expect(await crashesOf(page.client)).toMatchObject([
      { part: 'last-run', cause: expect.stringContaining('while a job ran on this computer'), report: null },
    ]);
    expect(await statusAtEnd(page.client, entryId)).toBe('COMPLETED');
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
