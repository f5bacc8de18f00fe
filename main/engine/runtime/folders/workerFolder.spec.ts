import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clearSdkState } from './workerFolder.ts';

let folder: string;
let state: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hangar-folder-'));
  state = path.join(folder, '.runpod_jobs.pkl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the state of an earlier worker is removed', () => {
  expect(clearSdkState(folder)).toBeNull();
  writeFileSync(state, '');
  expect(clearSdkState(folder)).toBeNull();
  expect(existsSync(state)).toBe(false);
});

test('a state that stays is reported', () => {
  mkdirSync(state);
  expect(clearSdkState(folder)).toContain(`${state} has the jobs of an earlier worker and cannot be removed (`);
});
