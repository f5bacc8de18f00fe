/** Jobs that come by the API of this computer are in the list of jobs: without a page, and over a restart. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { until } from '../../support/core/until.ts';
import { createHttp } from '../../support/http/client.ts';
import { accepted } from '../../support/resources/resources.ts';
import { connect, newDataDir, pair, startHost, type DataDir, type Host } from './headlessHost.ts';

let dataDir: DataDir;
beforeAll(async () => {
  dataDir = await newDataDir();
});
afterAll(() => dataDir[Symbol.asyncDispose]());

const start = (): Host => startHost(['--json', '--data-dir', dataDir.path, '--port', '0', '--ui-port', '0']);

/** Sends jobs to the sample that streams words, with the key of the run, as a script does that starts Hangar. */
async function send(host: Host, texts: readonly string[]): Promise<string[]> {
  const { api, apiKey } = await host.ready();
  const http = createHttp(api, apiKey);
  const endpoints = accepted(await http.get('/v1/endpoints')) as { id: string; name: string }[];
  const { id: endpointId } = endpoints.find(({ name }) => name === 'stream-words') ?? { id: '' };
  const ids: string[] = [];
  for (const text of texts) {
    const headers = { 'user-agent': 'curl/8.5.0' };
    const sent = await http.send('POST', `/v2/${endpointId}/run`, { input: { text, delayMs: 1 } }, { headers });
    ids.push((accepted(sent) as { id: string }).id);
  }
  http.stop();
  return ids;
}

/** Opens a page, and waits until it lists these jobs as done. */
async function listed(host: Host, ids: readonly string[]): Promise<LedgerEntry[]> {
  const { ui } = await host.ready();
  await using page = await connect(ui ?? '', await pair(ui ?? ''));
  return await until(
    'the jobs to be listed as done',
    async () => (await page.client.jobs.list({ filter: {}, offset: 0, limit: 100 })).entries,
    (entries) => ids.every((id) => entries.some(({ jobId, status }) => jobId === id && status === 'COMPLETED')),
  );
}

test('a job that a script sent while no page was open is listed with its sender, its input and its output', async () => {
  let before: LedgerEntry[];
  const ids: string[] = [];
  {
    await using host = start();
    ids.push(...(await send(host, ['one two', 'three four'])));
    before = await listed(host, ids);
    expect(before).toHaveLength(2);
    expect(before[0]).toMatchObject({
      source: 'api',
      client: 'curl',
      preview: 'three four',
      endpointName: 'stream-words',
    });
    ids.push(...(await send(host, ['the last one before the end'])));
  }
  // The last job may have ended with Hangar, or may run again.
  await using host = start();
  const after = await listed(host, ids);
  expect(after).toHaveLength(3);
  expect(after.slice(1)).toEqual(before);
});
