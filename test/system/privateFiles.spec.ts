/** Who may read what Hangar writes: nobody but its owner, also in a folder that was open to others before. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesWith } from '../support/disk/secretsInFiles.ts';
import { until } from '../support/core/until.ts';
import { newDataDir, startHost, type Host, type Ready } from './headless/headlessHost.ts';
import { needsPosix } from '../support/core/skip.ts';

const FLAGS = ['--port', '0', '--no-ui', '--json'];

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

/** What other users may read or write below the folder, the folder included; what lies in volumes is left out. */
async function openToOthers(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const modes = await Promise.all(
    ['', ...entries].map(async (name) => ({ name, mode: await modeOf(join(folder, name)).catch(() => '600') })),
  );
  return modes.filter(({ mode }) => !mode.endsWith('00')).map(({ name, mode }) => `${name} ${mode}`);
}

async function json(host: Host, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const { api, apiKey }: Ready = await host.ready();
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Record<string, unknown>;
}

test(
  'Nothing that Hangar keeps can be read by others after a start, and its workers write files as before',
  needsPosix,
  async () => {
    await using dataDir = await newDataDir();
    const { path } = dataDir;
    const handler = join(path, 'handler');
    await mkdir(handler);
    await writeFile(
      join(handler, 'handler.mjs'),
      `import { writeFileSync, statSync } from 'node:fs';
       export default () => {
         writeFileSync('written', '');
         return (statSync('written').mode & 0o777).toString(8);
       };`,
    );
    const usualFileMode = await modeOf(join(handler, 'handler.mjs'));
    {
      await using first = startHost(['--data-dir', path, ...FLAGS]);
      await first.ready();
      // Not by a later look, but as each of them is made.
      expect((await openToOthers(path)).filter((line) => !line.startsWith('handler') && line !== ' 700')).toEqual([]);
    }
    for (const name of ['', ...(await readdir(path, { recursive: true }))]) {
      const at = join(path, name);
      await chmod(at, (await stat(at)).isDirectory() ? 0o755 : 0o644);
    }
    expect((await openToOthers(path)).length).toBeGreaterThan(10);
    await using host = startHost(['--data-dir', path, ...FLAGS]);
    await host.ready();
    await until(
      'nothing to be open to others',
      () => openToOthers(path),
      (wrong) => wrong.length === 0,
    );

    const template = { name: 'mask', imageName: `file://${handler}`, isServerless: true };
    const { id: templateId } = await json(host, 'POST', '/v1/templates', template);
    const { id } = await json(host, 'POST', '/v1/endpoints', { name: 'mask', templateId });
    const { output } = await json(host, 'POST', `/v2/${String(id)}/runsync`, { input: {} });
    expect(output).toBe(usualFileMode);
    const { id: volumeId } = await json(host, 'POST', '/v1/networkvolumes', {
      name: 'v',
      size: 1,
      dataCenterId: 'LOCAL-1',
    });
    const volume = (await readdir(join(path, 'volumes'))).find((name) => name.endsWith(String(volumeId)));
    // Containers write to it as users of their own; who else is on the machine does not get there.
    expect(await modeOf(join(path, 'volumes', volume!))).toBe('777');
    expect([await modeOf(path), await modeOf(join(path, 'volumes'))]).toEqual(['700', '700']);
  },
);

test('Variables and webhooks are in no file in plain text, and outlive a run whose keys are kept in memory', async () => {
  await using dataDir = await newDataDir();
  const { path } = dataDir;
  const token = `tk-${randomBytes(16).toString('hex')}`;
  const handler = join(path, 'handler');
  await mkdir(handler);
  await writeFile(join(handler, 'handler.mjs'), `export default () => process.env.TOKEN.length;`);
  let endpoint: unknown;
  {
    await using first = startHost(['--data-dir', path, ...FLAGS]);
    const template = { name: 'sealed', imageName: `file://${handler}`, isServerless: true, env: { TOKEN: token } };
    const { id: templateId } = await json(first, 'POST', '/v1/templates', template);
    const { id: idle } = await json(first, 'POST', '/v1/endpoints', { name: 'idle', templateId, workersMax: 0 });
    ({ id: endpoint } = await json(first, 'POST', '/v1/endpoints', { name: 'sealed', templateId }));
    for (const text of ['', 'x'.repeat(1_000_000)]) {
      const request = { input: { text }, webhook: `https://example.invalid/${token}` };
      await json(first, 'POST', `/v2/${String(idle)}/run`, request);
    }
    expect(await filesWith(path, token)).toEqual([]);
  }
  expect(await filesWith(path, token)).toEqual([]);
  await using second = startHost(['--data-dir', path, ...FLAGS]);
  const { output } = await json(second, 'POST', `/v2/${String(endpoint)}/runsync`, { input: {} });
  expect(output).toBe(token.length);
  const { notices } = await json(second, 'GET', '/local/v1/engine');
  expect(notices).toEqual([]);
  expect(await filesWith(path, token)).toEqual([]);
});
