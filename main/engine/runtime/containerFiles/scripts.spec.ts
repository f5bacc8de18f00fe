/**
 * The scripts with this machine's own shells and programs: those of GNU and a shell of POSIX. Busybox is in the tests
 * of containers.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needsLinux, skipFor } from '../../../../test/support/core/skip.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../../../../test/support/disk/smallDisk.ts';
import { failureOf, readFacts, readListing } from './answers.ts';
import { CODES, COMMIT, LIST, MAKE_FOLDER, MOVE, OPEN, READ, RECEIVE, REMOVE } from './scripts.ts';

let root: string;
const inside = (...names: string[]): string => path.join(root, ...names);
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'hangar-scripts-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const shells = ['dash', 'bash'].filter((name) => spawnSync('which', [name]).status === 0);

describe.each(shells)('the scripts for containers, run by %s', needsLinux, (shell) => {
  const run = (script: string, args: string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(shell, ['-c', script, 'sh', ...args], { input });
    return { status, output: stdout, errors: stderr.toString() };
  };

  it('list any name, and no more entries than were asked for but those of one start of stat', () => {
    const names = [
      'a b',
      '-n',
      '.hidden',
      '..b',
      '*',
      'line\nbreak',
      'tab\t',
      "it's",
      '$(exit 3)',
      'M',
      'x/y'.replace('/', '\\'),
    ];
    for (const name of names) writeFileSync(inside(name), name);
    const listed = readListing(run(LIST, [root, '5000']).output);
    expect(listed.entries.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(listed.entries.every(({ kind, name, sizeBytes }) => kind === 'file' && sizeBytes === name.length)).toBe(
      true,
    );
    expect(listed.truncated).toBe(false);
    for (let n = 0; n < 300; n++) writeFileSync(inside(`n${n}`), '');
    const cut = readListing(run(LIST, [root, '256']).output);
    expect(cut.entries.length).toBeLessThanOrEqual(256);
    expect(cut.truncated).toBe(true);
    expect(run(LIST, [inside('none'), '1']).status).toBe(CODES.missing);
    expect(run(LIST, [inside('a b'), '1']).status).toBe(CODES.noFolder);
  });

  it('write a part first, and put it in the place of a file with its permissions', () => {
    writeFileSync(inside('file'), 'before');
    chmodSync(inside('file'), 0o640);
    const [file, part] = [inside('file'), inside('part')];
    expect(run(RECEIVE, [file, part, 'no'], 'after').status).toBe(CODES.exists);
    expect(run(RECEIVE, [file, part, 'yes'], 'after').status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('before');
    const { output } = run(COMMIT, [file, part, 'yes', '5']);
    expect(readFacts(output)).toMatchObject({ sizeBytes: 5 });
    expect(statSync(file).mode & 0o777).toBe(0o640);
    run(RECEIVE, [file, part, 'yes'], 'cut off');
    expect(run(COMMIT, [file, part, 'yes', '70']).status).toBe(CODES.incomplete);
    // Another program has made the file meanwhile.
    run(RECEIVE, [inside('new'), part, 'no'], 'new');
    writeFileSync(inside('new'), 'theirs');
    expect(run(COMMIT, [inside('new'), part, 'no', '3']).status).toBe(CODES.exists);
    expect(readFileSync(inside('new'), 'utf8')).toBe('theirs');
    expect(run(RECEIVE, [inside('none', 'file'), inside('none', 'part'), 'yes']).status).toBe(CODES.noParent);
    expect(readdirSync(root).toSorted()).toEqual(['file', 'new']);
  });

  describe('keep what a file had where the new content has no room', skipFor(whyNoSmallDisk()), () => {
    const content = 'x'.repeat(700_000);
    const replace = (target: string, file: string) => {
      const part = inside('part');
      const status = run(RECEIVE, [target, part, 'yes'], 'y'.repeat(3_000_000)).status;
      expect(status).toBe(0);
      const { status: committed, errors } = run(COMMIT, [target, part, 'yes', '3000000']);
      expect(committed).not.toBe(0);
      expect(failureOf(committed, errors, target).code).toBe('STORAGE_FULL');
      expect(readFileSync(file, 'utf8') === content).toBe(true);
      expect(readdirSync(path.dirname(file))).toEqual(['file']);
      expect(readdirSync(root)).toEqual([path.basename(target)]);
    };

    it('a link to a file of another disk', () => {
      using disk = mountSmallDisk(2);
      const file = path.join(disk.folder, 'file');
      writeFileSync(file, content);
      symlinkSync(file, inside('link'));
      replace(inside('link'), file);
    });

    it('a file that is a mount of its own', () => {
      using disk = mountSmallDisk(2);
      const file = path.join(disk.folder, 'file');
      writeFileSync(file, content);
      writeFileSync(inside('mounted'), '');
      spawnSync('mount', ['--bind', file, inside('mounted')]);
      try {
        replace(inside('mounted'), file);
      } finally {
        spawnSync('umount', ['-l', inside('mounted')]);
      }
    });
  });

  it('write what a link leads to, which keeps its permissions, and the link stays', () => {
    mkdirSync(inside('folder'));
    writeFileSync(inside('folder', 'file'), 'before');
    chmodSync(inside('folder', 'file'), 0o640);
    symlinkSync('folder/file', inside('link'));
    const [link, part] = [inside('link'), inside('part')];
    run(RECEIVE, [link, part, 'yes'], 'after');
    expect(readFacts(run(COMMIT, [link, part, 'yes', '5']).output).sizeBytes).toBe(5);
    expect(readlinkSync(link)).toBe('folder/file');
    expect(readFileSync(inside('folder', 'file'), 'utf8')).toBe('after');
    expect(statSync(inside('folder', 'file')).mode & 0o777).toBe(0o640);
    expect([...readdirSync(root), ...readdirSync(inside('folder'))].toSorted()).toEqual(['file', 'folder', 'link']);
  });

  it('read blocks of a file, and tell what is no file', () => {
    writeFileSync(inside('file'), `${'a'.repeat(65_536)}${'b'.repeat(65_536)}c`);
    expect(run(READ, [inside('file'), '1', '1']).output.toString()).toBe('b'.repeat(65_536));
    expect(run(READ, [inside('file'), '2', '9']).output.toString()).toBe('c');
    expect(readFacts(run(OPEN, [inside('file')]).output).sizeBytes).toBe(131_073);
    expect(run(OPEN, [root]).status).toBe(CODES.isFolder);
    expect(run(OPEN, ['/dev/null']).status).toBe(CODES.noFile);
  });

  it('make, move and delete', () => {
    const folder = inside('new\n');
    expect(run(MAKE_FOLDER, [folder]).status).toBe(0);
    expect(run(MAKE_FOLDER, [folder]).status).toBe(CODES.exists);
    writeFileSync(path.join(folder, 'x'), '');
    expect(run(MOVE, [inside('moved'), folder]).status).toBe(0);
    expect(run(MOVE, [inside('moved'), inside('none')]).status).toBe(CODES.missing);
    expect(run(MOVE, [inside('moved'), inside('moved', 'x')]).status).toBe(CODES.exists);
    expect(run(MOVE, [inside('none', 'x'), inside('moved')]).status).toBe(CODES.noParent);
    expect(run(REMOVE, [inside('moved'), 'yes']).status).toBe(CODES.notEmpty);
    expect(run(REMOVE, [inside('moved'), 'no']).status).toBe(0);
    expect(readdirSync(root)).toEqual([]);
  });
});

describe('a failure of a script', () => {
  it.each([
    [1, "cat: can't write: No space left on device", 'STORAGE_FULL'],
    [1, 'mkdir: cannot create directory: Permission denied', 'FORBIDDEN'],
    [1, 'mv: File name too long', 'BAD_REQUEST'],
    [1, 'mv: something else', 'UPSTREAM'],
    [null, '', 'UNAVAILABLE'],
  ])('with code %s and the message "%s" is %s', (code, errors, expected) => {
    expect(failureOf(code, errors, '/file').code).toBe(expected);
  });
});
