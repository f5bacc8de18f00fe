/**
 * An error of the headless host that nothing handles: it ends with a report, its next run has the notice, and the job
 * that was running ends there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { until } from '../../support/core/until.ts';
import { createHttp } from '../../support/http/client.ts';
import { accepted } from '../../support/resources/resources.ts';
import { connect, newDataDir, pair, startHost, type Ready } from './headlessHost.ts';

const KEY = 'test-key';
const idSchema = z.object({ id: z.string() });
const jobSchema = z.object({ id: z.string(), status: z.string() });

/** Sends a job that runs until it is let go on, in whatever run, and waits until it runs. */
async function startJob({ api, dataDir }: Ready) {
  const http = createHttp(api, KEY);
  const folder = join(dataDir, 'handlers');
  await mkdir(folder);
  await writeFile(
    join(folder, 'handler.mjs'),
    `import { existsSync } from 'node:fs';
    import { setTimeout as later } from 'node:timers/promises';
    export default async () => { while (!existsSync('go-on')) await later(50); };\n`,
  );
  const template = { name: 'waits', imageName: pathToFileURL(folder).href, isServerless: true };
  const { id: templateId } = idSchema.parse(accepted(await http.post('/v1/templates', template)));
  const { id: endpointId } = idSchema.parse(accepted(await http.post('/v1/endpoints', { name: 'waits', templateId })));
  const path = `/v2/${endpointId}`;
  const { id } = jobSchema.parse(accepted(await http.post(`${path}/run`, { input: {} })));
  const statusAt = async (address: string): Promise<string> =>
    jobSchema.parse(accepted(await createHttp(address, KEY).get(`${path}/status/${id}`))).status;
  await until('the job to run', () => statusAt(api), 'IN_PROGRESS');
  return { statusAt, goOn: () => writeFile(join(folder, 'go-on'), '') };
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
    await job.goOn();
    await until('the job to end in the next run', () => job.statusAt(api), 'COMPLETED');
  },
);
