import { expect, it } from 'vitest';
import type { LogLine } from '#contract/local/log.ts';
import { logLineOf } from '../../../../test/support/logs/logLine.ts';
import { createLineReading, lineFilter } from './lineParser.ts';

const levelsOf = (...lines: string[]) => {
  const read = createLineReading();
  return lines.map((line) => read(line).level);
};

it.each([
  ['ERROR: no such file', 'error'],
  ['[WARN] slow', 'warn'],
  ['[info] up', 'info'],
  ['WARNING:root:careful', 'warn'],
  ['INFO   | job-1234 | Started', 'info'],
  ['INFO:     Uvicorn running', 'info'],
  ['2026-01-02 03:04:05,678 - root - ERROR - broken', 'error'],
  ['2026-01-02T03:04:05Z DEBUG details', 'debug'],
  ['CRITICAL: out', 'error'],
  ['/app/handler.py:3: UserWarning: old', 'warn'],
  ["TypeError: Cannot read properties of undefined (reading 'x')", 'error'],
  ['torch.OutOfMemoryError: CUDA out of memory.', 'error'],
])('%j has the level %s', (line, level) => {
  expect(levelsOf(line)).toEqual([level]);
});

it.each([
  '',
  'Loading the model',
  'Error handling is on',
  'INFORMATION',
  'the ERROR: came later',
  '{"level":"error"}',
  '  x',
])('%j tells no level', (line) => expect(levelsOf(line)).toEqual([null]));

it('a whole traceback is an error, and what comes after it is not', () => {
  const traceback = [
    'Traceback (most recent call last):',
    '  File "x.py", line 1',
    '    boom()',
    'KeyError: 1',
    'next',
  ];
  expect(levelsOf(...traceback)).toEqual(['error', 'error', 'error', 'error', null]);
  expect(levelsOf('Traceback (most recent call last):', '  File "x.py"', 'my.Oops', '  indented')).toEqual([
    'error',
    'error',
    'error',
    null,
  ]);
  expect(levelsOf('Error: boom', '    at run (file.mjs:1:2)', 'next')).toEqual(['error', 'error', null]);
});

it('a line of the SDK tells its job, its level and its message', () => {
  const read = createLineReading();
  expect(read('{"requestId": "job-1", "message": "a\\nb", "level": "WARN"}')).toEqual({
    text: 'a\nb',
    level: 'warn',
    jobId: 'job-1',
  });
  expect(read('{"requestId": null, "message": "up", "level": "INFO"}')).toEqual({
    text: 'up',
    level: 'info',
    jobId: null,
  });
  expect(read('INFO   | job-1234 | Started.').jobId).toBe('job-1234');
});

it.each(['{"message": 1, "requestId": null}', '{"message": "x"}', '{"message" x}', '{"requestId":"message"}'])(
  '%s is a line like any other',
  (line) => expect(createLineReading()(line)).toEqual({ text: line, level: null, jobId: null }),
);

it('a filter wants its level or a graver one, and text in any case', () => {
  const line = (fields: Partial<LogLine>): LogLine => logLineOf({ text: 'Some Text', ...fields });
  expect(lineFilter({})(line({}))).toBe(true);
  expect(lineFilter({ text: 'sOME' })(line({}))).toBe(true);
  expect(lineFilter({ text: 'other' })(line({}))).toBe(false);
  expect(lineFilter({ level: 'warn' })(line({ level: 'error' }))).toBe(true);
  expect(lineFilter({ level: 'warn' })(line({ level: 'info' }))).toBe(false);
  expect(lineFilter({ level: 'debug' })(line({}))).toBe(false);
  expect(lineFilter({ jobId: 'j' })(line({ jobId: 'j' }))).toBe(true);
  expect(lineFilter({ jobId: 'j' })(line({}))).toBe(false);
  expect(lineFilter({ endpointId: 'x' })(line({}))).toBe(false);
  expect(lineFilter({ workerId: 'x' })(line({}))).toBe(false);
});
