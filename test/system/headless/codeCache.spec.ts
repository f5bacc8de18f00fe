/** The compiled code that a start leaves for the next one: in the data folder. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDataDir, startHost } from './headlessHost.ts';

test('compiled code is kept from the second start on, once the data folder is private', async () => {
  await using folder = await newDataDir();
  const cache = join(folder.path, 'cache');
  async function startOnce(): Promise<void> {
    await using host = startHost(['--json', '--port', '0', '--ui-port', '0', '--data-dir', folder.path], {
      // The tests may be run with a folder of their own.
      NODE_COMPILE_CACHE: '',
    });
    await host.ready();
  }
  await startOnce();
  expect(existsSync(cache)).toBe(false);
  await startOnce();
  const [build, ...others] = readdirSync(cache);
  expect(build).toMatch(/^code-/);
  expect(others).toEqual([]);
  const files = readdirSync(join(cache, build ?? ''), { recursive: true, withFileTypes: true });
  expect(files.filter((entry) => entry.isFile()).length).toBeGreaterThan(5);
});
