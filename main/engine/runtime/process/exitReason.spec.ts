import { expect, test } from 'vitest';
import type { WorkerExit } from '../../domain/autoscaling/ports.ts';
import { exitReason } from './exitReason.ts';

const exit = (how: Partial<WorkerExit>): WorkerExit => ({
  code: null,
  signal: null,
  lastLines: [],
  startError: null,
  ...how,
});

test.each<[reason: string, how: Partial<WorkerExit>]>([
  ['exit code 1', { code: 1 }],
  ['exit code 3; last output: no such model', { code: 3, lastLines: ['loading', 'no such model', ''] }],
  ['KeyError: 1 (exit code 3)', { code: 3, lastLines: ['loading', 'KeyError: 1'] }],
  ['No licence (exit code 1)', { code: 1, lastLines: ['Error: no', '[hangar] No licence.'] }],
  [
    'exit code 0 (the program ended by itself; a worker has to keep running and take jobs); last output: ERROR: none',
    { code: 0, lastLines: ['ERROR: none'] },
  ],
  ['ended by SIGTERM', { signal: 'SIGTERM' }],
  ['killed by SIGKILL (often because the system ran out of memory)', { signal: 'SIGKILL' }],
  [
    'Hangar killed it because it had not stopped 5 s after it was asked to',
    { signal: 'SIGKILL', killedAfterMs: 5000, outOfMemory: true, lastLines: ['working'] },
  ],
  ['ended by SIGSEGV (native code accessed invalid memory)', { signal: 'SIGSEGV' }],
  ['exit code 137 (SIGKILL: often because the system ran out of memory)', { code: 137 }],
  ['out of memory (killed by SIGKILL)', { signal: 'SIGKILL', outOfMemory: true }],
  [
    'out of memory (killed by SIGKILL); last output: loading',
    { signal: 'SIGKILL', outOfMemory: true, lastLines: ['loading'] },
  ],
  [
    'out of GPU memory: torch.OutOfMemoryError: CUDA out of memory (exit code 1)',
    { code: 1, lastLines: ['torch.OutOfMemoryError: CUDA out of memory.', 'bye'] },
  ],
  [
    "no space left on the disk: OSError: [Errno 28] No space left on device: 'x' (exit code 1)",
    { code: 1, lastLines: ["OSError: [Errno 28] No space left on device: 'x'"] },
  ],
  [
    'exit code 0 (the program ended by itself; a worker has to keep running and take jobs); last output: skipped a picture: CUDA out of memory',
    { code: 0, lastLines: ['skipped a picture: CUDA out of memory'] },
  ],
  [
    'exit code 127 (a command was not found); last output: sh: serve: not found',
    { code: 127, lastLines: ['sh: serve: not found'] },
  ],
  ['exit code 126 (a command was found, but could not be executed)', { code: 126 }],
  ['exit code 125 (a container could not be run)', { code: 125 }],
  ['python could not be started: not found', { startError: 'python could not be started: not found' }],
])('%s', (reason, how) => {
  expect(exitReason(exit(how))).toBe(reason);
});

test.each<[place: string, lines: string[]]>([
  [
    "ModuleNotFoundError: No module named 'torch' (handler.py:2, exit code 1)",
    [
      'Traceback (most recent call last):',
      '  File "/opt/hangar/worker-kit/python/harness.py", line 80, in main',
      '  File "<frozen importlib._bootstrap>", line 1204, in _gcd_import',
      '  File "/home/me/greeter/handler.py", line 2, in <module>',
      '    import torch',
      "ModuleNotFoundError: No module named 'torch'",
    ],
  ],
  [
    'ValueError: no (model.py:7, exit code 1)',
    [
      '  File "C:\\work\\model.py", line 7, in load',
      '  File "C:\\work\\.venv\\Lib\\site-packages\\json\\decoder.py", line 353, in raw_decode',
      'ValueError: no',
    ],
  ],
  [
    'foo is not defined (handler.mjs:2, exit code 1)',
    [
      'ReferenceError: foo is not defined',
      '    at file:///home/me/greeter/handler.mjs:2:1',
      '    at ModuleJob.run (node:internal/modules/esm/module_job:561:25)',
      '    at async main (file:///opt/hangar/worker-kit/node/harness.mjs:75:9)',
      '[hangar] foo is not defined',
    ],
  ],
  [
    'SyntaxError: Unexpected end of input (handler.mjs:4, exit code 1)',
    [
      'file:///home/me/greeter/handler.mjs:4',
      'export default () => {',
      'SyntaxError: Unexpected end of input',
      '    at compileSourceTextModule (node:internal/modules/esm/utils:319:16)',
      '',
      'Node.js v24.1.0',
    ],
  ],
])('the error of a traceback is told with its file and line: %s', (place, lastLines) => {
  expect(exitReason(exit({ code: 1, lastLines }))).toBe(place);
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
    'out of memory: FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory (ended by SIGABRT)',
  );
});
