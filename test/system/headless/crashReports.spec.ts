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
import { connect, newDataDir, pair, startHost, type Host, type Ready } from './headlessHost.ts';

const KEY = 'test-key';
const idSchema = z.object({ id: z.string() });
const jobSchema = z.object({ id: z.string(), status: z.string() });

/**
 * Sends a job that runs until it is let go on, in whatever run, and waits until it runs. Its worker ends when it is told
 * to: the next host waits 10 s for an engine that is left, of which another worker could take 5.
 */
async function startJob({ api, dataDir }: Ready) {
  const http = createHttp(api, KEY);
  const folder = join(dataDir, 'handlers');
  await mkdir(folder);
  await writeFile(
    join(folder, 'handler.mjs'),
    `import { existsSync } from 'node:fs';
    import { setTimeout as later } from 'node:timers/promises';
    process.on('SIGTERM', () => process.exit());
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

/** A program that starts with the host and makes this fault once the host gets SIGUSR2. */
async function addFault(dataDir: string, name: string, failing: string): Promise<string> {
  const fault = join(dataDir, name);
  await writeFile(fault, `process.on('SIGUSR2', () => { ${failing}; });\n`);
  return `--import=${pathToFileURL(fault).href}`;
}

it('each error that nothing handles ends the host with a report, and the job that ran ends in its next run', async () => {
  await using data = await newDataDir();
  const args = ['--json', '--port', '0', '--ui-port', '0', '--data-dir', data.path];
  const exception = await addFault(data.path, 'exception.mjs', `setImmediate(() => { throw new Error('no luck'); })`);
  const rejection = await addFault(data.path, 'rejection.mjs', `void Promise.reject(new Error('no answer'))`);
  const start = (options: string) => startHost(args, { NODE_OPTIONS: options, HANGAR_API_KEY: KEY });
  const reports = (): string[] =>
    readdirSync(join(data.path, 'crash-reports')).filter((name) => name.endsWith('-main.json'));
  const known: string[] = [];
  const crash = async (host: Host, message: string): Promise<void> => {
    host.child.kill('SIGUSR2');
    expect(await host.exited()).toMatchObject({ code: 1, stderr: expect.stringContaining(message) as string });
    const made = reports().filter((name) => !known.includes(name));
    expect(made).toHaveLength(1);
    known.push(made[0]!);
    const text = readFileSync(join(data.path, 'crash-reports', made[0]!), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ part: 'main', program: { host: 'headless' } });
    expect(text).toContain(`Error: ${message}`);
  };
  /** The notice of this run: of the newest crash, with how many were not seen by a person yet. */
  const expectNotice = async ({ ui }: Ready, count: number, message: string): Promise<void> => {
    await using page = await connect(ui!, await pair(ui!));
    const { value } = await (await page.client.host.crashes.watch()).next();
    expect(value).toMatchObject([{ part: 'main', count, cause: `Nothing handled this error: Error: ${message}.` }]);
  };

  let job: Awaited<ReturnType<typeof startJob>>;
  {
    await using host = start(exception);
    job = await startJob(await host.ready());
    await crash(host, 'no luck');
  }
  {
    await using host = start(rejection);
    const ready = await host.ready();
    await expectNotice(ready, 1, 'no luck');
    await until('the job to run again', () => job.statusAt(ready.api), 'IN_PROGRESS');
    await crash(host, 'no answer');
  }
  await using host = start('');
  const ready = await host.ready();
  await expectNotice(ready, 2, 'no answer');
  await job.goOn();
  await until('the job to end in the next run', () => job.statusAt(ready.api), 'COMPLETED');
});
