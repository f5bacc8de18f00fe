import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpWithoutFetch } from './bundlePlugins.mjs';

/** Prints whether Node has loaded its part that fetches. */
const PROGRAM = `
  import { Server, createServer } from 'node:http';
  import http from 'http';
  const isServer = createServer() instanceof Server && http.Server === Server;
  console.log(isServer, process.moduleLoadList.some((name) => name.includes('undici')));
`;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangar-bundle-'));
  await writeFile(join(folder, 'program.mjs'), PROGRAM);
});
afterAll(() => rm(folder, { recursive: true }));

const run = async (file: string) => (await promisify(execFile)(process.execPath, [join(folder, file)])).stdout.trim();

test('a bundle gets http without the part of Node that fetches', async () => {
  expect(await run('program.mjs'), 'the source, where Node loads it').toBe('true true');
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [httpWithoutFetch()],
    build: {
      ssr: join(folder, 'program.mjs'),
      outDir: join(folder, 'out'),
      // As the bundler of the programs says it.
      rolldownOptions: { external: ['http', 'node:http'], output: { entryFileNames: 'program.mjs' } },
    },
  });
  expect(await run(join('out', 'program.mjs'))).toBe('true false');
});
