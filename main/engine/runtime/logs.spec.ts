import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorkerLogs, type WorkerLog } from './logs.ts';

let folder: string;
const failures: unknown[] = [];

const logsWith = (limits: { fileBytes?: number; filesKept?: number } = {}) =>
  createWorkerLogs({ folder, onFailure: (_workerId, error) => failures.push(error), ...limits });

async function writeTo(log: WorkerLog, ...parts: (string | Buffer)[]): Promise<void> {
  const stream = new PassThrough();
  log.read(stream);
  for (const part of parts) stream.write(part);
  stream.end();
  await finished(stream);
  await log.written();
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hangar-logs-'));
  failures.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps the last 50 lines in memory and all of them in the file', async () => {
  const log = logsWith().open('w1');
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i}`);
  await writeTo(log, lines.map((line) => `${line}\n`).join(''));
  expect(log.lastLines()).toEqual(lines.slice(10));
  expect(readFileSync(path.join(folder, 'w1.log'), 'utf8').split('\n')).toHaveLength(61);
});

it('puts lines together however they arrive, and keeps a last one without an end', async () => {
  const log = logsWith().open('w1');
  const umlaut = Buffer.from('ü');
  await writeTo(log, 'one', ' line\r\nt', umlaut.subarray(0, 1), umlaut.subarray(1), '\nunfinished');
  expect(log.lastLines()).toEqual(['one line', 'tü', 'unfinished']);
});

it('cuts an endless line in memory', async () => {
  const log = logsWith().open('w1');
  await writeTo(log, 'x'.repeat(100_000), 'y'.repeat(100_000), '\nnext\n');
  expect(log.lastLines().map((line) => line.length)).toEqual([4001, 4]);
});

it('puts a full file aside and goes on in a new one, so that the newest lines are always there', async () => {
  const log = logsWith({ fileBytes: 1000 }).open('w1');
  for (let i = 0; i < 10; i += 1) await writeTo(log, `${String(i).repeat(399)}\n`);
  expect(readdirSync(folder).toSorted()).toEqual(['w1.log', 'w1.log.1']);
  expect(statSync(path.join(folder, 'w1.log')).size).toBeLessThanOrEqual(1000);
  expect(readFileSync(path.join(folder, 'w1.log'), 'utf8')).toContain('9999');
});

it('removes the oldest files when there are too many', () => {
  for (let i = 0; i < 5; i += 1) {
    const file = path.join(folder, `old-${i}.log`);
    writeFileSync(file, '');
    utimesSync(file, i + 1, i + 1);
  }
  logsWith({ filesKept: 3 }).open('w1');
  expect(readdirSync(folder).toSorted()).toEqual(['old-3.log', 'old-4.log']);
});

it('says once when a log cannot be written, and still keeps the last lines', async () => {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'a file where the folder should be');
  const log = logsWith().open('w1');
  await writeTo(log, 'first\n', 'second\n');
  expect(failures).toHaveLength(1);
  expect(log.lastLines()).toEqual(['first', 'second']);
});
