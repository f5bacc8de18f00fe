/** A host that a person stops while a job runs: it says what becomes of the job, and so does the job later. */
import { describe, expect, it } from 'vitest';
import { requireValue } from '#contract/core/requireValue.ts';
import { needsPosix } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { connect, newDataDir, pair, startHost, type Host, type Page } from './headlessHost.ts';
import { startWaitingJob, statusAtEnd } from './waitingJob.ts';

describe('Ctrl+C', needsPosix, () => {
  it('says at once what it interrupts, and the job says why it started again', async () => {
    await using dataDir = await newDataDir();
    // Without --json, as a person starts it.
    const flags = ['--data-dir', dataDir.path, '--port', '0', '--ui-port', '0'];
    let job: Awaited<ReturnType<typeof startWaitingJob>>;
    {
      const host = startHost(flags);
      const { client, closed } = await open(host);
      job = await startWaitingJob(client, dataDir.path);
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
    await job.goOn();
    expect(await statusAtEnd(page.client, job.entryId)).toBe('COMPLETED');
    expect(await page.client.jobs.attempts({ entryId: job.entryId })).toMatchObject([{ endedBy: 'stopped' }]);
  });
});

async function open(host: Host): Promise<Page> {
  const line = await until('the link of the page', () => host.stdout.find((text) => text.includes('?pair=')) ?? null);
  const link = requireValue(/http\S+/.exec(line)?.[0], 'the address');
  return connect(link, await pair(link));
}
