/**
 * Rules of the folder for compiled code: it is private, of this build alone, and never the reason of a failed start.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needsPosix } from '../../../test/support/core/skip.ts';
import { codeCacheOf } from './codeCache.ts';

let dir: string;
let dataDir: string;
let program: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-code-'));
  [dataDir, program] = [join(dir, 'data'), join(dir, 'engine.js')];
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, 'ledger.db'), '');
  writeFileSync(program, '');
});
afterEach(() => rmSync(dir, { recursive: true }));

const find = (args = ['--json', '--data-dir', dataDir], env = {}): string | null => codeCacheOf(args, env, program);

describe('the folder of compiled code', () => {
  it('lies in the data folder that a flag or the environment names', () => {
    expect(find()).toContain(join(dataDir, 'cache', 'code-'));
    expect(find([`--data-dir=${dataDir}`])).toBe(find());
    const home = join(dir, 'home');
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'ledger.db'), '');
    expect(find([], { HANGAR_HOME: home })).toContain(join(home, 'cache', 'code-'));
  });

  it('is that of one build: the folders of others are removed', () => {
    const before = find() ?? expect.unreachable();
    for (const name of [basename(before), 'of another program'])
      mkdirSync(join(dataDir, 'cache', name), { recursive: true });
    expect(find()).toBe(before);
    expect(existsSync(before)).toBe(true);
    utimesSync(program, 1, 1);
    expect(find()).not.toBe(before);
    expect(readdirSync(join(dataDir, 'cache'))).toEqual(['of another program']);
  });

  it('is not used before Hangar has used the data folder, from source, and where Node has orders', () => {
    expect(find(undefined, { NODE_COMPILE_CACHE: '/other' })).toBeNull();
    expect(find(undefined, { NODE_DISABLE_COMPILE_CACHE: '1' })).toBeNull();
    expect(codeCacheOf(['--data-dir', dataDir], {}, join(dir, 'engine.ts'))).toBeNull();
    expect(find(['--data-dir', join(dir, 'none')])).toBeNull();
    rmSync(join(dataDir, 'ledger.db'));
    expect(find()).toBeNull();
  });

  it('is not used where other users reach the data folder: they could change the code', needsPosix, () => {
    chmodSync(dataDir, 0o750);
    expect(find()).toBeNull();
  });
});
