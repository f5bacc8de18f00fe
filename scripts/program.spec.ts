import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

it.each([
  ['start.mjs', ['--help'], '--data-dir DIR'],
  ['hangar.mjs', ['jobs', '--help'], 'Usage: hangar jobs'],
] as const)('the help of %s needs no bundles, and builds none', (script, args, words) => {
  // A checkout that was never built.
  const folder = mkdtempSync(join(tmpdir(), 'hangar-unbuilt-'));
  try {
    cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
    for (const name of ['main', 'node_modules', 'package.json']) symlinkSync(join(root, name), join(folder, name));
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(folder, 'scripts', script), ...args], {
      encoding: 'utf8',
    });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toContain(words);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
