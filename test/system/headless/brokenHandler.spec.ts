/**
 * A job that waits for a handler that cannot be loaded names the error with its file and line, also after it is
 * cancelled.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { until } from '../../support/core/until.ts';
import { createHttp } from '../../support/http/client.ts';
import { accepted } from '../../support/resources/resources.ts';
import { connect, newDataDir, pair, startHost, type DataDir, type Host, type Page } from './headlessHost.ts';

let dataDir: DataDir;
let host: Host;
let page: Page;
let folder: string;
let changes: Awaited<ReturnType<Page['client']['jobs']['changes']>>;
beforeAll(async () => {
  dataDir = await newDataDir();
  folder = await mkdtemp(join(tmpdir(), 'hangar-broken-'));
  host = startHost(['--json', '--data-dir', dataDir.path, '--port', '0', '--ui-port', '0']);
  const { ui } = await host.ready();
  page = await connect(ui ?? '', await pair(ui ?? ''));
  // The reasons of jobs of scripts are read while a page shows the list.
  changes = await page.client.jobs.changes();
  void changes.next();
});
afterAll(async () => {
  await changes.return?.();
  await page[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  await dataDir[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const handlers = {
  python: {
    file: 'handler.py',
    text: 'import json\n\nimport nothing_there\n',
    words: "No module named 'nothing_there' (handler.py:3, exit code 1)",
  },
  node: {
    file: 'handler.mjs',
    text: 'const a = 1;\nexport default () => {\n  return a +;\n};\n',
    words: "SyntaxError: Unexpected token ';' (handler.mjs:3, exit code 1)",
  },
};

test.each([
  ['python', 'window'],
  ['python', 'api'],
  ['node', 'window'],
] as const)('in %s, for a job that came by the %s', async (language, source) => {
  const { api, apiKey } = await host.ready();
  const http = createHttp(api, apiKey);
  const { file, text, words } = handlers[language];
  const place = await mkdtemp(join(folder, language));
  await writeFile(join(place, file), text);
  const imageName = pathToFileURL(place).href;
  const name = `${language}-${source}`;
  const { endpointId } = await page.client.endpoints.create({
    accountId: THIS_MACHINE,
    template: { name, imageName, isServerless: true },
    endpoint: { name },
  });
  if (source === 'window') {
    await page.client.jobs.submit({
      entryId: randomUUID(),
      accountId: THIS_MACHINE,
      endpointId,
      endpointName: name,
      mode: 'run',
      body: '{"input":{}}',
    });
  } else accepted(await http.post(`/v2/${endpointId}/run`, { input: {} }));
  const entryNow = async () => {
    const { entries } = await page.client.jobs.list({ filter: { endpointId }, offset: 0, limit: 1 });
    return entries[0];
  };
  const waiting = await until('the reason why it waits', entryNow, (entry) => entry?.waiting?.includes(words) === true);
  accepted(await http.post(`/v2/${endpointId}/cancel/${waiting?.jobId}`));
  const ended = await until('its end', entryNow, (entry) => entry?.status === 'CANCELLED');
  expect(ended?.waiting).toContain(words);
  http.stop();
});
