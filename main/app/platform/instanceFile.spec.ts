/** Rules of the instance file. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { instanceOf, noteInstance, readInstance } from './instanceFile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-instance-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('the file names the process, and the socket once there is one', () => {
  const note = noteInstance(folder, { version: '1.2.3', host: 'headless' });
  expect(readInstance(folder)).toEqual({ pid: process.pid, version: '1.2.3', host: 'headless', socket: null });
  note.setSocket('/run/command.sock');
  expect(readInstance(folder)?.socket).toBe('/run/command.sock');
  if (process.platform !== 'win32') expect(statSync(join(folder, 'instance.json')).mode & 0o777).toBe(0o600);
});

it('a file that was withdrawn does not come back', () => {
  const note = noteInstance(folder, { version: '1.2.3', host: 'headless' });
  note.withdraw();
  note.setSocket('/run/command.sock');
  expect(readInstance(folder)).toBeNull();
});

it('the file of an earlier version tells the process', () => {
  writeFileSync(join(folder, 'instance.json'), '{"pid":4711}\n');
  expect(instanceOf(folder)).toBe(4711);
  writeFileSync(join(folder, 'instance.json'), 'no JSON');
  expect(instanceOf(folder)).toBeNull();
});
