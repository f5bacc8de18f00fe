import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { LogFilter, LogQuery } from '#contract/local/log.ts';
import { systemClock } from '../host/systemClock.ts';
import { createWorkerLogs, type WorkerLog, type WorkerLogs } from './workerLogs.ts';

let top: string;
let folder: string;
let opened: WorkerLogs[];
let failures: unknown[];
let jobsOf: (workerId: string) => readonly string[];

const logsWith = (sizes: { segmentBytes?: number; storedBytes?: number } = {}): WorkerLogs => {
  const logs = createWorkerLogs({
    folder,
    // No time passes while a worker waits, so that a slow machine drops none of its output.
    clock: { ...systemClock, elapsed: () => 0 },
    jobsOf: (id) => jobsOf(id),
    onFailure: (error) => failures.push(error),
    ...sizes,
  });
  opened.push(logs);
  return logs;
};

async function writeTo(log: WorkerLog, ...parts: (string | Buffer)[]): Promise<void> {
  const stream = new PassThrough();
  log.read(stream);
  for (const part of parts) stream.write(part);
  stream.end();
  await finished(stream);
  await log.written();
}

/** Opens the log of a worker, writes these lines and waits for the disk. */
const say = (logs: WorkerLogs, workerId: string, ...lines: string[]): Promise<void> =>
  writeTo(logs.open({ workerId, endpointId: 'e1' }), lines.map((line) => `${line}\n`).join(''));

const texts = async (logs: WorkerLogs, query: LogQuery = {}): Promise<string[]> =>
  (await logs.page(query)).lines.map(({ text }) => text);

async function follow(logs: WorkerLogs, after: number, filter: LogFilter = {}): Promise<string[]> {
  const lineTexts: string[] = [];
  for (let n = after; n < logs.newest();) {
    const { lines, through } = await logs.readAfter(n, filter);
    expect(through).toBeGreaterThan(n);
    n = through;
    for (const { json } of lines) lineTexts.push((JSON.parse(json) as { text: string }).text);
  }
  return lineTexts;
}

const bytesKept = (): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'hangar-logs-'));
  folder = path.join(top, 'workers');
  opened = [];
  failures = [];
  jobsOf = () => [];
});
afterEach(async () => {
  for (const logs of opened) await logs.stop();
  rmSync(top, { recursive: true, force: true });
});

describe('what a worker writes', () => {
  it('holds no key that a worker writes, wherever in a line it stands', async () => {
    const key = `rpa_${'0123456789abcdef'.repeat(3)}`;
    const logs = logsWith();
    const log = logs.open({ workerId: 'w1', endpointId: 'e1' });
    logs.note({ workerId: 'w1', endpointId: 'e1' }, 'error', `it said ${key}`);
    const sdk = JSON.stringify({ requestId: 'job-1', message: `before\n${key}`, level: 'INFO' });
    await writeTo(log, `RUNPOD_AI_API_KEY=${key}\n`, `${sdk}\n`, 'rpa_process_invoice and sherpa_onnx\n');
    const line = expect.stringMatching(/^before\s•••$/);
    const others = 'rpa_process_invoice and sherpa_onnx';
    expect(await texts(logs)).toEqual(['it said •••', 'RUNPOD_AI_API_KEY=•••', line, others]);
  });

  it('is numbered, and its last 50 lines are at hand', async () => {
    const logs = logsWith();
    const log = logs.open({ workerId: 'w1', endpointId: 'e1' });
    const lines = Array.from({ length: 60 }, (_, i) => `line ${i}`);
    await writeTo(log, lines.map((line) => `${line}\n`).join(''));
    expect(log.lastLines()).toEqual(lines.slice(10));
    const page = await logs.page({});
    expect(page.lines.map(({ n, text }) => `${n} ${text}`)).toEqual(lines.map((line, i) => `${i + 1} ${line}`));
    expect(page).toMatchObject({ more: false, next: null });
  });

  it('is put together into lines however it arrives, a last one without an end as well', async () => {
    const logs = logsWith();
    const umlaut = Buffer.from('ü');
    await writeTo(
      logs.open({ workerId: 'w1', endpointId: 'e1' }),
      'one',
      ' line\r',
      '\nt',
      umlaut.subarray(0, 1),
      umlaut.subarray(1),
      '\n\nunfinished',
    );
    expect(await texts(logs)).toEqual(['one line', 'tü', '', 'unfinished']);
  });

  it('has each state of a progress bar as a line, as soon as the next one comes', async () => {
    const logs = logsWith();
    const stream = new PassThrough();
    const log = logs.open({ workerId: 'w1', endpointId: 'e1' });
    log.read(stream);
    stream.write('\r 10%');
    stream.write('\r 20%');
    await expect.poll(() => log.lastLines()).toEqual([' 10%']);
    stream.end('\r100%\ndone\n');
    await finished(stream);
    await log.written();
    expect(await texts(logs)).toEqual([' 10%', ' 20%', '100%', 'done']);
  });

  it('has neither colours nor bytes that are no text', async () => {
    const logs = logsWith();
    await writeTo(
      logs.open({ workerId: 'w1', endpointId: 'e1' }),
      Buffer.concat([
        Buffer.from('\u001b[31mred\u001b[0m\n'),
        Buffer.from([0, 1, 0xff, 0xfe, 10]),
        Buffer.from('on\n'),
      ]),
    );
    expect(await texts(logs)).toEqual(['red', '\ufffd\ufffd', 'on']);
  });

  it('is cut where a line is too long, and says by how much; a line without an end fills no memory', async () => {
    const logs = logsWith();
    const { lineLength } = limits.log;
    await writeTo(
      logs.open({ workerId: 'w1', endpointId: 'e1' }),
      'x'.repeat(lineLength),
      '\n',
      'y'.repeat(900_000),
      '\nz\n',
    );
    expect(await texts(logs)).toEqual([
      'x'.repeat(lineLength),
      `${'y'.repeat(lineLength)}… [${900_000 - lineLength} more characters were cut]`,
      'z',
    ]);
  });

  it('belongs to the job that it names, or to the one that its worker has', async () => {
    const logs = logsWith();
    jobsOf = (id) => ({ one: ['job-a'], two: ['job-a', 'job-b'] })[id] ?? [];
    await say(logs, 'none', 'nobody');
    await say(logs, 'one', 'the only one', '{"requestId":"job-x","message":"named","level":"INFO"}');
    await say(logs, 'two', 'either', '{"requestId":"job-b","message":"second","level":"ERROR"}');
    expect((await logs.page({})).lines.map(({ text, jobId, level }) => [text, jobId, level])).toEqual([
      ['nobody', null, null],
      ['the only one', 'job-a', null],
      ['named', 'job-x', 'info'],
      ['either', null, null],
      ['second', 'job-b', 'error'],
    ]);
    expect(await texts(logs, { jobId: 'job-b' })).toEqual(['second']);
  });

  it('is told after it is on disk, with what the engine has to say between', async () => {
    const logs = logsWith();
    let notifications = 0;
    const leave = logs.onLines(() => (notifications += 1));
    logs.note({ workerId: 'w1', endpointId: 'e1' }, 'warn', 'The worker ended.');
    expect(logs.newest()).toBe(0);
    await expect.poll(() => notifications).toBe(1);
    leave();
    expect(readFileSync(path.join(folder, readdirSync(folder)[0]!), 'utf8')).toContain('"stream":"engine"');
    expect((await logs.page({})).lines).toMatchObject([{ n: 1, stream: 'engine', level: 'warn', jobId: null }]);
  });
});

describe('on disk', () => {
  const many = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `line ${from + i}`);

  it('lines survive, and their numbers go on', async () => {
    const first = logsWith();
    await say(first, 'w1', 'before');
    await first.stop();
    const second = logsWith();
    expect(second.newest()).toBe(1);
    await say(second, 'w2', 'after');
    expect((await second.page({})).lines.map(({ n, text }) => [n, text])).toEqual([
      [1, 'before'],
      [2, 'after'],
    ]);
    expect(await follow(second, 0)).toEqual(['before', 'after']);
  });

  it('half a line that a crash has left is taken away, and damage hides no other line', async () => {
    const first = logsWith();
    await say(first, 'w1', 'one', 'two');
    await first.stop();
    const file = path.join(folder, readdirSync(folder)[0]!);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"text":"one"', '"text:"one"'));
    appendFileSync(file, '{"n":3,"at":"2026-');
    const second = logsWith();
    await say(second, 'w1', 'three');
    expect(await texts(second)).toEqual(['two', 'three']);
    expect(await follow(second, 0)).toEqual(['two', 'three']);
    expect(second.newest()).toBe(3);
  });

  it('the oldest go, so that no more is kept than the limit', async () => {
    const logs = logsWith({ segmentBytes: 20_000, storedBytes: 100_000 });
    for (let i = 0; i < 20; i += 1) await say(logs, 'w1', ...many(100, i * 100));
    expect(bytesKept()).toBeLessThanOrEqual(120_000);
    expect(bytesKept()).toBeGreaterThan(60_000);
    await logs.stop();
    const again = logsWith({ segmentBytes: 20_000, storedBytes: 50_000 });
    expect(bytesKept()).toBeLessThanOrEqual(50_000);
    expect((await again.page({ limit: 1 })).lines).toMatchObject([{ n: 2000, text: 'line 1999' }]);
  });

  it.each([
    { segmentBytes: 4 * 1024 * 1024, name: 'one file' },
    { segmentBytes: 100_000, name: 'many files' },
  ])('every line is found by paging back and by following, from any place: $name', async ({ segmentBytes }) => {
    const writer = logsWith({ segmentBytes });
    const all = many(12_000);
    for (let i = 0; i < 12; i += 1)
      await say(writer, i % 2 === 0 ? 'even' : 'odd', ...all.slice(i * 1000, (i + 1) * 1000));
    await writer.stop();
    // A new instance has no lines in memory, so all of them come from the disk.
    const logs = logsWith({ segmentBytes });
    const lineTexts: string[] = [];
    for (let before: number | undefined; ;) {
      const page = await logs.page({ limit: 997, ...(before === undefined ? {} : { before }) });
      lineTexts.unshift(...page.lines.map(({ text }) => text));
      if (!page.more) break;
      before = page.next!;
    }
    expect(lineTexts).toEqual(all);
    for (const n of [0, 1, 777, 5000, 11_998]) expect(await follow(logs, n)).toEqual(all.slice(n));
    expect(await follow(logs, 0, { workerId: 'odd', text: 'LINE 1500' })).toEqual(['line 1500']);
    expect(await texts(logs, { workerId: 'even', before: 2101, limit: 2 })).toEqual(['line 2098', 'line 2099']);
    expect(await texts(logs, { workerId: 'odd', before: 3001, limit: 1 })).toEqual(['line 1999']);
    expect(await logs.page({ workerId: 'nobody' })).toEqual({ lines: [], more: false, next: null });
  });

  it('paging reads memory and disk as one', async () => {
    const first = logsWith();
    await say(first, 'w1', ...many(500));
    await first.stop();
    const logs = logsWith();
    await say(logs, 'w1', ...many(500, 500));
    expect(await texts(logs, { limit: 1000 })).toEqual(many(1000));
    expect(await texts(logs, { before: 503, limit: 4 })).toEqual(many(4, 498));
    expect(await follow(logs, 498)).toEqual(many(502, 498));
  });

  it('a follower that asks for what is not there yet gets what comes', async () => {
    const logs = logsWith();
    await say(logs, 'w1', 'one');
    expect(await logs.readAfter(50, {})).toEqual({ lines: [], through: 1 });
  });
});

describe('a disk that takes nothing', () => {
  it('is told once, and followers still see every line', async () => {
    writeFileSync(folder, 'a file where the folder should be');
    const logs = logsWith();
    const log = logs.open({ workerId: 'w1', endpointId: 'e1' });
    await writeTo(log, 'first\n', 'second\n');
    await say(logs, 'w2', 'third');
    expect(failures).toHaveLength(1);
    expect(log.lastLines()).toEqual(['first', 'second']);
    expect(await follow(logs, 0)).toEqual(['first', 'second', 'third']);
    expect(await texts(logs)).toEqual(['first', 'second', 'third']);
  });

  it('lets a worker write on for as long as it likes, and memory stays bounded', async () => {
    writeFileSync(folder, '');
    const logs = logsWith();
    const log = logs.open({ workerId: 'w1', endpointId: 'e1' });
    const stream = new PassThrough();
    log.read(stream);
    const line = Buffer.from(`${'x'.repeat(7000)}\n`);
    for (let i = 0; i < 1000; i += 1)
      if (!stream.write(line)) await new Promise((resolve) => stream.once('drain', resolve));
    stream.end();
    await finished(stream);
    await log.written();
    expect(logs.newest()).toBe(1000);
    expect((await logs.page({ limit: 1000 })).lines.length).toBeLessThan(400);
  });
});

it('a worker that writes more than the engine can afford waits', async () => {
  const logs = logsWith();
  const stream = new PassThrough();
  logs.open({ workerId: 'w1', endpointId: 'e1' }).read(stream);
  const flood = Buffer.from('y\n'.repeat(32 * 1024));
  let most = 0;
  for (let i = 0; i < 4; i += 1) {
    stream.write(flood);
    const before = logs.newest();
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, logs.newest() - before);
  }
  expect(stream.writableNeedDrain).toBe(true);
  // One turn of the event loop processes a part of it.
  expect(most).toBeLessThan(32 * 1024);
  stream.end();
  await finished(stream);
  await expect.poll(() => logs.newest()).toBe(4 * 32 * 1024);
});
