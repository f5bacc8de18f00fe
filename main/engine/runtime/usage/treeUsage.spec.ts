import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, test } from 'vitest';
import { until } from '../../../../test/support/core/until.ts';
import { readCim, readPs, type ProcessRow } from './processTable.ts';
import { cpuPercentBetween, createTreeUsage, treeOf } from './treeUsage.ts';

const VARIABLE = 'HANGAR_USAGE_SPEC';
const MIB = 2 ** 20;

const row = (pid: number, parent: number, group: number | null, mark: string | null = null): ProcessRow => ({
  pid,
  parent,
  group,
  mark,
  key: String(pid),
  cpuMs: 0,
  readAt: 0,
  memoryBytes: 1,
});
const pids = (rows: readonly ProcessRow[]): number[] => rows.map(({ pid }) => pid).sort((a, b) => a - b);

test('to a worker belongs its group, what carries its mark wherever that is, and whatever any of these started', () => {
  const rows = [
    row(1, 0, 1),
    row(10, 1, 10, 'w1'),
    row(11, 10, 10, 'w1'),
    row(12, 11, 12),
    row(13, 1, 13, 'w1'),
    row(14, 13, 14),
    row(20, 1, 20, 'w2'),
    row(21, 20, 20, 'w2'),
  ];
  expect(pids(treeOf(rows, 10, 'w1'))).toEqual([10, 11, 12, 13, 14]);
  expect(pids(treeOf(rows, 20, 'w2'))).toEqual([20, 21]);
  expect(treeOf(rows, 30, 'w3')).toEqual([]);
});

test('what ps tells on a Mac is read', () => {
  const text = '    1     0     1  12416   1:02.50\n  812   1   812 1048576 2-03:00:01.00\n';
  expect(readPs(text, 5)).toEqual([
    { pid: 1, parent: 0, group: 1, key: '1', mark: null, readAt: 5, cpuMs: 62_500, memoryBytes: 12416 * 1024 },
    {
      pid: 812,
      parent: 1,
      group: 812,
      key: '812',
      mark: null,
      readAt: 5,
      cpuMs: (51 * 3600 + 1) * 1000,
      memoryBytes: 1048576 * 1024,
    },
  ]);
});

test('what CIM tells on Windows is read', () => {
  expect(readCim('4 0 151552 1875000000\r\n7744 4 2147483648 15625000\r\n\r\n', 5)).toEqual([
    { pid: 4, parent: 0, group: null, key: '4', mark: null, readAt: 5, cpuMs: 187_500, memoryBytes: 151552 },
    { pid: 7744, parent: 4, group: null, key: '7744', mark: null, readAt: 5, cpuMs: 1562.5, memoryBytes: 2147483648 },
  ]);
});

test('the use of the processor is measured over the time between the rows of each process', () => {
  const used = (pid: number, cpuMs: number, readAt: number): ProcessRow => ({ ...row(pid, 1, pid), cpuMs, readAt });
  // The first sample took 400 ms and read its only process at the beginning.
  const before = { at: 1400, rows: [used(10, 1000, 1000)] };
  expect(cpuPercentBetween(before, { at: 1600, rows: [used(10, 1600, 1600)] })).toBe(100);
  expect(cpuPercentBetween(before, { at: 1600, rows: [used(10, 1000, 1600), used(11, 50, 1600)] })).toBe(25);
  expect(cpuPercentBetween(before, { at: 1600, rows: [] })).toBe(0);
});

describe('a running worker', () => {
  let child: ChildProcess | null = null;
  afterEach(async () => {
    if (child) await stop();
  });

  /** A process whose child has left the group, does the work and uses the memory. */
  async function start(work: string): Promise<number> {
    const inner = `const held = Buffer.alloc(${100 * MIB}, 1); console.log('works'); ${work}; setInterval(() => held.length, 1e6);`;
    const outer =
      `const { spawn } = require('node:child_process'); const child = spawn(process.execPath, ['-e', ${JSON.stringify(inner)}],` +
      `{ stdio: ['pipe', 'inherit', 'inherit'], detached: true }); process.stdin.resume(); ` +
      `process.on('SIGTERM', () => { child.kill('SIGKILL'); child.on('exit', () => process.exit()); });`;
    child = spawn(process.execPath, ['-e', outer], {
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, [VARIABLE]: `w-of-${process.pid}` },
    });
    await once(child.stdout!, 'data');
    return child.pid!;
  }

  async function stop(): Promise<void> {
    const ended = once(child!, 'close');
    child!.kill('SIGTERM');
    await ended;
    child = null;
  }

  it('is measured with all it started: memory at once, the processor from the second time on', async () => {
    const pid = await start('for (;;);');
    const measure = createTreeUsage(VARIABLE)(pid, `w-of-${process.pid}`);
    const first = await measure();
    expect(first.cpuPercent).toBeNull();
    expect(first.memoryBytes).toBeGreaterThan(100 * MIB);
    // A busy machine gives it less than one core, and the clock of the system counts in steps.
    await until(
      'its use of one core',
      async () => (await measure()).cpuPercent,
      (cpuPercent) => cpuPercent !== null && cpuPercent > 20 && cpuPercent < 150,
    );
    await stop();
    expect(await until('its end to be seen', async () => (await measure()).memoryBytes === null)).toBe(true);
  });

  it('that does nothing uses next to nothing of the processor', async () => {
    const pid = await start('');
    const measure = createTreeUsage(VARIABLE)(pid, `w-of-${process.pid}`);
    await measure();
    const idle = await until(
      'a stretch without work',
      async () => (await measure()).cpuPercent,
      (cpuPercent) => cpuPercent !== null && cpuPercent < 10 && { cpuPercent },
    );
    expect(idle.cpuPercent).toBeGreaterThanOrEqual(0);
    await stop();
  });
});
