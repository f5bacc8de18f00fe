import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findHandler } from './handlerFile.ts';
import { needsLinux } from '../../../../test/support/core/skip.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hangar-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text = ''): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

test.each(['handler.py', 'rp_handler.py', 'src/handler.py', 'src/rp_handler.py', '.runpod/handler.py'])(
  'a folder with %s runs it',
  (file) => {
    write(file);
    expect(findHandler(folder)).toEqual({ runtime: 'python', file, args: [] });
  },
);

test('a folder whose Dockerfile starts a Python file of it runs that file', () => {
  write('app/serve.py');
  write('Dockerfile', 'FROM python:3.11\nCOPY app /srv\nCMD python -u /srv/serve.py --fast\n');
  expect(findHandler(folder)).toEqual({ runtime: 'python', file: 'app/serve.py', args: ['--fast'] });
  write('handler.py');
  expect(findHandler(folder), 'a name that we serve goes first').toMatchObject({ file: 'handler.py' });
});

test('a folder whose Dockerfile starts something else has no handler, and the reason names what that is', () => {
  write('Dockerfile', 'FROM python\nCMD python serve.py\n');
  write('serve.py');
  write('.runpod/Dockerfile', 'FROM ubuntu\nCMD ["/start.sh"]\n');
  expect(findHandler(folder), 'what lies in .runpod goes first').toContain(
    `There is no handler in ${folder}, and its Dockerfile starts no Python file of it, but /start.sh.`,
  );
});

test('a Dockerfile that cannot be read is named, with the reason', needsLinux, () => {
  // The system refuses to read the first page of this file, also to root.
  symlinkSync('/proc/self/mem', path.join(folder, 'Dockerfile'));
  expect(findHandler(folder)).toMatch(/Dockerfile cannot be read \(EIO.*\)\. Correct its permissions, or remove it\.$/);
});
