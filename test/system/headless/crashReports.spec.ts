/** An error of the headless host that nothing handles: it ends with a report, and its next run has the notice. */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { connect, newDataDir, pair, startHost } from './headlessHost.ts';

it.each([
  ['an exception', `setImmediate(() => { throw new Error('no luck'); })`],
  ['a rejected promise', `void Promise.reject(new Error('no luck'))`],
])('%s', async (_name, failing) => {
  await using data = await newDataDir();
  const fault = join(data.path, 'fault.mjs');
  await writeFile(fault, `process.on('SIGUSR2', () => { ${failing}; });\n`);
  const args = ['--json', '--port', '0', '--ui-port', '0', '--data-dir', data.path];
  {
    await using host = startHost(args, { NODE_OPTIONS: `--import=${pathToFileURL(fault).href}` });
    await host.ready();
    host.child.kill('SIGUSR2');
    expect(await host.exited()).toMatchObject({ code: 1, stderr: expect.stringContaining('no luck') as string });
  }
  const reports = readdirSync(join(data.path, 'crash-reports')).filter((name) => name.endsWith('-main.json'));
  expect(reports).toHaveLength(1);
  const text = readFileSync(join(data.path, 'crash-reports', reports[0]!), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ part: 'main', program: { host: 'headless' } });
  expect(text).toContain('Error: no luck');

  await using host = startHost(args);
  const { ui } = await host.ready();
  await using page = await connect(ui!, await pair(ui!));
  const crashes = await page.client.host.crashes.watch();
  const { value } = await crashes.next();
  expect(value).toMatchObject([{ part: 'main', count: 1, cause: 'Nothing handled this error: Error: no luck.' }]);
});
