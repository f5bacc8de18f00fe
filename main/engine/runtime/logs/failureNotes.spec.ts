import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../host/systemClock.ts';
import { createFailureNotes } from './failureNotes.ts';
import { createWorkerLogs, type WorkerLogs } from './workerLogs.ts';

const worker = { workerId: 'w1', endpointId: 'e1' };
const traceback =
  'Traceback (most recent call last):\n  File "/srv/handler.py", line 12, in handler\nValueError: no seven';

let folder: string;
let logs: WorkerLogs;
let current: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-failures-'));
  current = ['j1'];
  logs = createWorkerLogs({
    folder,
    clock: { ...systemClock, elapsed: () => 0 },
    jobsOf: () => current,
    onFailure(error) {
      throw error;
    },
  });
});
afterEach(async () => {
  await logs.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What the worker writes to standard error during its job. */
async function write(text: string): Promise<void> {
  const log = logs.open(worker);
  const stream = new PassThrough();
  log.read(stream, 'stderr');
  stream.end(text);
  await finished(stream);
  await log.written();
}

async function logOf(jobId: string, error: string) {
  createFailureNotes(logs)({ jobId, ...worker, error });
  await logs.open(worker).written();
  return (await logs.page({ jobId })).lines.map(({ stream, level, text }) => [stream, level, text]);
}

const errorLines = (text: string) => text.split('\n').map((line) => ['engine', 'error', line]);

describe('the error of a failed job in its log', () => {
  it('stands as error lines behind what the worker wrote', async () => {
    await write('drawing\n');
    expect(await logOf('j1', traceback)).toEqual([['stderr', null, 'drawing'], ...errorLines(traceback)]);
  });

  it('is the traceback of the JSON that the public worker makes', async () => {
    const error = JSON.stringify({
      error_type: "<class 'ValueError'>",
      error_message: 'no seven',
      error_traceback: traceback,
    });
    expect(await logOf('j1', error)).toEqual(errorLines(traceback));
    const short = JSON.stringify({ error_type: "<class 'ValueError'>", error_message: 'no seven' });
    expect(await logOf('j2', short)).toEqual(errorLines('ValueError: no seven'));
  });

  it('is one line where the worker sent no more', async () => {
    expect(await logOf('j1', 'The input needs a prompt.')).toEqual(errorLines('The input needs a prompt.'));
  });

  it('is not there twice where the worker wrote it itself, but is where another job had the same one', async () => {
    await write(`${traceback}\n`);
    expect((await logOf('j1', traceback)).filter(([, , text]) => text === 'ValueError: no seven')).toHaveLength(1);
    expect(await logOf('j2', traceback)).toEqual(errorLines(traceback));
  });

  it('leaves out the middle of a long one', async () => {
    const lines = ['Error: too deep', ...Array.from({ length: 300 }, (_, n) => `    at deeper (file:///a.mjs:${n}:1)`)];
    const texts = (await logOf('j1', lines.join('\n'))).map(([, , text]) => text);
    expect(texts).toHaveLength(101);
    expect(texts[0]).toBe('Error: too deep');
    expect(texts[50]).toBe('… [201 more lines were left out]');
    expect(texts.at(-1)).toBe(lines.at(-1));
  });
});
