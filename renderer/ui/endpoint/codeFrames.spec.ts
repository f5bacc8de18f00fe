import { describe, expect, it } from 'vitest';
import { framesIn, innermostFrame } from './codeFrames.ts';

/** Each frame as its text, its file and its line. */
const linksOf = (text: string, folder: string) =>
  framesIn(text, folder).map(({ start, end, path, line }) => [text.slice(start, end), path, line]);

describe('a frame of a traceback leads to the code of the handler', () => {
  it('of Python, for files in the folder only', () => {
    const text = `Traceback (most recent call last):
  File "/opt/hangar/worker/harness.py", line 210, in run
  File "/srv/my code/handler.py", line 12, in handler
  File "/srv/my code/parts/draw.py", line 3, in draw
  File "/srv/my code 2/other.py", line 5, in other
  File "/srv/my code/../secret.py", line 5, in secret
ValueError: no seven`;
    expect(linksOf(text, '/srv/my code')).toEqual([
      ['File "/srv/my code/handler.py", line 12', 'handler.py', 12],
      ['File "/srv/my code/parts/draw.py", line 3', 'parts/draw.py', 3],
    ]);
  });

  it('of Python that names the file from the folder on, as for an error of syntax', () => {
    const text = `  File "handler.py", line 7
  File "parts/draw.py", line 2
  File "<string>", line 1
  File "<frozen importlib._bootstrap>", line 3
SyntaxError: expected ':'`;
    expect(linksOf(text, '/srv/code')).toEqual([
      ['File "handler.py", line 7', 'handler.py', 7],
      ['File "parts/draw.py", line 2', 'parts/draw.py', 2],
    ]);
    expect(innermostFrame('  File "handler.py", line 7\nSyntaxError: bad', '/srv/code')?.line).toBe(7);
  });

  it('of Node, with addresses and with paths', () => {
    const text = `file:///srv/my%20code/handler.mjs:3
Error: no seven
    at draw (file:///srv/my%20code/parts/draw.mjs:12:5)
    at file:///srv/my%20code/handler.mjs:7:11
    at old (/srv/my code/old.cjs:4:2)
    at async /srv/my code/later.cjs:9:1
    at node:internal/process/task_queues:95:5
    at run (file:///opt/hangar/worker/harness.mjs:80:3)`;
    expect(linksOf(text, '/srv/my code')).toEqual([
      ['file:///srv/my%20code/handler.mjs:3', 'handler.mjs', 3],
      ['file:///srv/my%20code/parts/draw.mjs:12:5', 'parts/draw.mjs', 12],
      ['file:///srv/my%20code/handler.mjs:7:11', 'handler.mjs', 7],
      ['/srv/my code/old.cjs:4:2', 'old.cjs', 4],
      ['/srv/my code/later.cjs:9:1', 'later.cjs', 9],
    ]);
  });

  it('on Windows', () => {
    const text = `  File "C:\\code\\greet\\handler.py", line 2, in handler
    at greet (file:///C:/code/greet/handler.mjs:12:5)
    at old (C:\\code\\greet\\old.cjs:4:2)`;
    expect(linksOf(text, '/C:/code/greet').map(([, path, line]) => [path, line])).toEqual([
      ['handler.py', 2],
      ['handler.mjs', 12],
      ['old.cjs', 4],
    ]);
  });

  it('opens at the line that raised the error', () => {
    const python = `Traceback (most recent call last):
  File "/srv/greet/handler.py", line 12, in handler
  File "/srv/greet/draw.py", line 3, in draw
  File "/usr/lib/python3/json/decoder.py", line 5, in decode`;
    expect(innermostFrame(python, '/srv/greet')).toEqual({ path: 'draw.py', line: 3 });
    const node = `Error: no
    at parse (node:internal/json:1:2)
    at draw (file:///srv/greet/draw.mjs:3:5)
    at default (file:///srv/greet/handler.mjs:12:5)`;
    expect(innermostFrame(node, '/srv/greet')).toEqual({ path: 'draw.mjs', line: 3 });
    expect(innermostFrame('no traceback', '/srv/greet')).toBeNull();
  });

  it('and none where a text only looks like one', () => {
    expect(linksOf('see file:///100%/a:3 and File "/srv/greet", line 2', '/srv/greet')).toEqual([]);
    expect(linksOf('File "/app/handler.py", line 2', '/srv/greet')).toEqual([]);
  });
});
