/**
 * An error of the headless host that nothing handles: it ends with a report, its next run has the notice, and the job
 * that was running ends there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { until } from '../../support/core/until.ts';
import { createHttp } from '../../support/http/client.ts';
import { connect, newDataDir, pair, startHost, type Ready } from './headlessHost.ts';

const KEY = 'test-key';
const endpointsSchema = z.array(z.object({ id: z.string(), name: z.string() }));
const jobSchema = z.object({ id: z.string(), status: z.string() });

/** Sends a job to the sample that streams words, and waits until it runs. */
async function startJob({ api }: Ready) {
  const http = createHttp(api, KEY);
  const endpoints = endpointsSchema.parse((await http.get('/v1/endpoints')).json);
  const path = `/v2/${endpoints.find(({ name }) => name === 'stream-words')?.id}`;
  const input = { text: 'one two three', delayMs: 500 };
  const { id } = jobSchema.parse((await http.post(`${path}/run`, { input })).json);
  const statusAt = async (address: string): Promise<string> =>
    jobSchema.parse((await createHttp(address, KEY).get(`${path}/status/${id}`)).json).status;
  await until('the job to run', () => statusAt(api), 'IN_PROGRESS');
  return { statusAt };
}

it.each([
  ['an exception', `setImmediate(() => { throw new Error('no luck'); })`],
  ['a rejected promise', `void Promise.reject(new Error('no luck'))`],
])(
  '%s that nothing handles ends the host with a report, and the job that ran ends in its next run',
  async (_name, failing) => {
    await using data = await newDataDir();
    const fault = join(data.path, 'fault.mjs');
    await writeFile(fault, `process.on('SIGUSR2', () => { ${failing}; });\n`);
    const args = ['--json', '--port', '0', '--ui-port', '0', '--data-dir', data.path];
    let job: Awaited<ReturnType<typeof startJob>>;
    {
      await using host = startHost(args, {
        NODE_OPTIONS: `--import=${pathToFileURL(fault).href}`,
        HANGAR_API_KEY: KEY,
      });
      job = await startJob(await host.ready());
      host.child.kill('SIGUSR2');
      expect(await host.exited()).toMatchObject({ code: 1, stderr: expect.stringContaining('no luck') as string });
    }
    const reports = readdirSync(join(data.path, 'crash-reports')).filter((name) => name.endsWith('-main.json'));
    expect(reports).toHaveLength(1);
    const text = readFileSync(join(data.path, 'crash-reports', reports[0]!), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ part: 'main', program: { host: 'headless' } });
    expect(text).toContain('Error: no luck');

    await using host = startHost(args, { HANGAR_API_KEY: KEY });
    const { ui, api } = await host.ready();
    await using page = await connect(ui!, await pair(ui!));
    const crashes = await page.client.host.crashes.watch();
    const { value } = await crashes.next();
    expect(value).toMatchObject([{ part: 'main', count: 1, cause: 'Nothing handled this error: Error: no luck.' }]);
    await until('the job to end in the next run', () => job.statusAt(api), 'COMPLETED');
  },
);
