import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../core/until.ts';
import { withProcessLock } from './processLock.ts';

const HOLDER = `
const [module, path] = process.argv.slice(1);
const { withProcessLock } = await import(module);
await withProcessLock(path, async () => {
  process.stdout.write('has it');
  await new Promise((resolve) => process.stdin.once('end', resolve).resume());
});`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangar-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Another process that has the lock until its standard input ends. */
async function startHolder(path: string) {
  const module = pathToFileURL(join(import.meta.dirname, 'processLock.ts')).href;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', HOLDER, module, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return holder;
}

test.each(['lets it go', 'is killed'])('work waits until the process that has the lock %s', async (how) => {
  const path = join(folder, 'lock');
  const holder = await startHolder(path);
  const gone = once(holder, 'close');
  const order: string[] = [];
  const waiting = withProcessLock(path, async () => {
    order.push('work');
  });
  // Another lock is taken meanwhile, which shows that this one was asked for and refused.
  await withProcessLock(`${path} of something else`, () => Promise.resolve());
  order.push('other work');
  if (how === 'is killed') holder.kill('SIGKILL');
  else holder.stdin.end();
  await waiting;
  await gone;
  expect(order).toEqual(['other work', 'work']);
});

test('two pieces of work of one process come one after the other, also where one fails', async () => {
  const path = join(folder, 'lock');
  let running = 0;
  const work = async (): Promise<never> => {
    running += 1;
    expect(running).toBe(1);
    await until('a turn of the event loop', () => new Promise((resolve) => setImmediate(() => resolve(true))));
    running -= 1;
    throw new Error('It fails.');
  };
  const outcomes = await Promise.allSettled([withProcessLock(path, work), withProcessLock(path, work)]);
  expect(outcomes.map(({ status, ...rest }) => [status, String(Object.values(rest)[0])])).toEqual([
    ['rejected', 'Error: It fails.'],
    ['rejected', 'Error: It fails.'],
  ]);
});
