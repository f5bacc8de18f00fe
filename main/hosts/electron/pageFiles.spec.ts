import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerPage, contentPolicy } from './pageFiles.ts';

const logger = pino({ level: 'silent' });
let parent = '';
let folder = '';

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'page-files-'));
  folder = join(parent, 'renderer');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  // A neighbour whose name begins as the folder's does.
  mkdirSync(join(parent, 'renderer-secret'));
  writeFileSync(join(parent, 'renderer-secret', 'key.txt'), 'secret');
  writeFileSync(join(parent, 'package.json'), '{}');
  writeFileSync(join(folder, 'index.html'), '<title>page</title>');
  writeFileSync(join(folder, 'assets', 'page.js'), 'void 0;');
});
afterAll(() => rmSync(parent, { recursive: true }));

const get = (address: string, method = 'GET'): Promise<Response> =>
  answerPage(folder, { url: address, method }, logger);

describe('files of the page', () => {
  test('the root is the page, and a file has its type', async () => {
    const page = await get('app://bundle/');
    expect(await page.text()).toBe('<title>page</title>');
    expect((await get('app://bundle/assets/page.js?v=1')).headers.get('content-type')).toMatch(/^text\/javascript/);
  });

  test('every answer carries the policy and nosniff, refusals too', async () => {
    for (const address of ['app://bundle/', 'app://bundle/missing']) {
      const { headers } = await get(address);
      expect(headers.get('content-security-policy')).toBe(contentPolicy);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test.each([
    'app://bundle/../package.json',
    'app://bundle/%2e%2e/package.json',
    'app://bundle/..%2fpackage.json',
    'app://bundle/..%2frenderer-secret%2fkey.txt',
    'app://bundle/..%5cpackage.json',
    'app://bundle/index.html%00.js',
    'app://bundle/%',
    'app://bundle/assets/',
    'app://bundle/assets',
    'app://other/index.html',
    'https://bundle/index.html',
  ])('%s leads to nothing', async (address) => {
    expect((await get(address)).status).toBe(404);
  });

  test('HEAD has no body, and nothing can be written', async () => {
    const head = await get('app://bundle/', 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await get('app://bundle/', 'POST')).status).toBe(405);
  });
});
