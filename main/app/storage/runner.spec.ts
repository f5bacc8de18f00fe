/** What the log and the person hear of work on the data that did not succeed. */
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { createRunner } from './runner.ts';

async function logOf(thrown: Error): Promise<string[]> {
  const lines: string[] = [];
  const runner = createRunner({
    dataDir: tmpdir(),
    host: { moveProblem: null, notice: null },
    logger: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    stopping: new AbortController().signal,
  });
  runner.begin('export', '/home/me/all.tar.gz', () => Promise.reject(thrown));
  await expect
    .poll(() => runner.state().last)
    .toMatchObject({ kind: 'export', outcome: 'failed', message: thrown.message });
  return lines;
}

test('a refusal is for the person alone, and a failure is in the log, too', async () => {
  expect(await logOf(new AppError('CONFLICT', 'It exists already. Name a new file.'))).toEqual([]);
  expect(await logOf(new AppError('INTERNAL', 'The export failed: EIO.'))).toHaveLength(1);
  expect(await logOf(new Error('something else'))).toHaveLength(1);
});
