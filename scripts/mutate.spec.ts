import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
/** It starts a test runner of its own, which takes 2 s alone. */
const LIMIT_MS = 120_000;

const mutate = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts/mutate.mjs'), ...args], { cwd: root, encoding: 'utf8' });

it(
  'A change that breaks a rule is noticed by the specs of the file, which stays as it is',
  () => {
    const file = 'main/engine/runtime/containers/engine/jsonLines.ts';
    const source = readFileSync(join(root, file), 'utf8');

    const { stdout, stderr, status } = mutate(file, '--spec', 'jsonLines.spec', '--sample', '2', '--seed', '1');

    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toContain(`${file}: 2 of 2 changes are noticed (100.0 %): 2 by specs`);
    expect(readFileSync(join(root, file), 'utf8')).toBe(source);
  },
  LIMIT_MS,
);

it(
  'A file that no spec imports is refused instead of being called unnoticed',
  () => {
    const { stderr, status } = mutate('main/app/services/keyInvalidation.ts', '--spec', 'nothing of this name');

    expect(stderr).toBe('No unit spec like nothing of this name imports main/app/services/keyInvalidation.ts.\n');
    expect(status).toBe(2);
  },
  LIMIT_MS,
);
