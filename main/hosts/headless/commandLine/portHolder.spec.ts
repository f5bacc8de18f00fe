/** How the program that holds a port is named, with real programs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { portTaken } from './portHolder.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-port-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

/** What is said about a port that a Node program holds which was started with these arguments. */
async function saidOfHolder(...args: string[]): Promise<{ sentence: string; pid: number }> {
  const program = join(dir, 'my-server.mjs');
  writeFileSync(
    program,
    `import { createServer } from 'node:net';
     const server = createServer().listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));`,
  );
  const holder = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(holder, 'exit');
  const [port] = (await once(holder.stdout, 'data')) as [Buffer];
  const sentence = portTaken(Number(port.toString()), '--port');
  holder.kill();
  await exited;
  return { sentence, pid: holder.pid! };
}

test('A program that holds a port is named by its command line', async ({ skip }) => {
  if (process.platform !== 'linux') skip('only Linux tells who holds a port');
  const { sentence, pid } = await saidOfHolder('--mode', 'two\nlines');
  expect(sentence).toContain(`in use by node ${join(dir, 'my-server.mjs')} --mode two lines (pid ${pid}).`);
});

test('A long command line is cut, and no secret of it is shown', async ({ skip }) => {
  if (process.platform !== 'linux') skip('only Linux tells who holds a port');
  const { sentence, pid } = await saidOfHolder('https://me:hunter22@example.com', 'x'.repeat(500));
  expect(sentence).not.toContain('hunter22');
  expect(sentence).toContain(`… (pid ${pid}).`);
  expect(sentence.length).toBeLessThan(300);
});

test('A person who came by npm is told how npm passes the flag on', () => {
  vi.stubEnv('npm_lifecycle_event', 'start');
  expect(portTaken(1, '--ui-port')).toContain('choose another port: npm start -- --ui-port 0 (0 = any free one).');
  vi.stubEnv('npm_lifecycle_event', undefined);
  expect(portTaken(1, '--ui-port')).toContain('choose another port with --ui-port (0 = any free one).');
});
