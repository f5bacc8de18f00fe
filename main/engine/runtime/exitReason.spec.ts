import { expect, test } from 'vitest';
import type { WorkerExit } from '../domain/ports.ts';
import { exitReason } from './exitReason.ts';

const exit = (how: Partial<WorkerExit>): WorkerExit => ({
  ...{ code: null, signal: null, lastLines: [], startError: null },
  ...how,
});

test.each<[reason: string, how: Partial<WorkerExit>]>([
  ['it ended with exit code 1', { code: 1 }],
  ['it ended with exit code 3; it last wrote: no such model', { code: 3, lastLines: ['loading', 'no such model', ''] }],
  ['it was ended by SIGTERM', { signal: 'SIGTERM' }],
  ['it was ended by SIGSEGV (its native code touched memory that was not its own)', { signal: 'SIGSEGV' }],
  [
    'it ended with exit code 137, which stands for SIGKILL (something killed it; often that is the system running out of memory)',
    { code: 137 },
  ],
  ['python could not be started: not found', { startError: 'python could not be started: not found' }],
])('%s', (reason, how) => {
  expect(exitReason(exit(how))).toBe(reason);
});

test('of a program that ran out of memory the line that says so is told, not the frames after it', () => {
  const lastLines = [
    'working',
    '',
    '<--- Last few GCs --->',
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    '----- Native stack trace -----',
    '',
    ' 1: 0xe13b2a node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]',
  ];
  expect(exitReason(exit({ signal: 'SIGABRT', lastLines }))).toBe(
    'it was ended by SIGABRT (it gave up on itself); it last wrote: ' +
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
  );
});
