/** Files of SSH as an older version, or an accident, leaves them: what can be read is, and nothing is lost in silence. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUnfinishedUploads } from './files/resumableUploads.ts';
import { createSettingsFile } from './settings.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-stored-'));
  file = join(folder, 'file.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the settings of SSH', () => {
  it('have the default of each field that is missing, and keep what a newer version wrote', () => {
    expect(createSettingsFile(file).get()).toEqual({ identity: { from: 'auto' }, keepsShells: true });
    writeFileSync(file, JSON.stringify({ identity: { from: 'agent' }, newer: 1 }));
    const settings = createSettingsFile(file);
    expect(settings.get()).toEqual({ identity: { from: 'agent' }, keepsShells: true });
    settings.change({ keepsShells: false });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      identity: { from: 'agent' },
      keepsShells: false,
      newer: 1,
    });
  });

  it('are not replaced where they cannot be read', () => {
    writeFileSync(file, '{');
    expect(() => createSettingsFile(file).get()).toThrow('Correct the file, or remove it.');
  });
});

describe('the notes of uploads that go on', () => {
  const note = { accountId: 'a', podId: 'p', path: 'x', part: '.hangar-part-1', sizeBytes: 1, modifiedAt: 1 };

  it('are read one by one: one that cannot be read costs no other, and the file is set aside', () => {
    writeFileSync(file, JSON.stringify([note, { path: 'y' }]));
    expect(createUnfinishedUploads(file).of('a', 'p')).toEqual([{ ...note, replaces: false, begunAt: 0 }]);
    expect(existsSync(`${file}.damaged`)).toBe(true);
  });

  it('are none where there is no file, or none of them can be parsed', () => {
    expect(createUnfinishedUploads(file).of('a', 'p')).toEqual([]);
    writeFileSync(file, '[{');
    expect(createUnfinishedUploads(file).of('a', 'p')).toEqual([]);
    expect(existsSync(`${file}.damaged`)).toBe(true);
  });

  it('are not set aside where the disk does not give them', () => {
    mkdirSync(file);
    expect(() => createUnfinishedUploads(file)).toThrow(`${file} cannot be read: it is a folder.`);
    expect(existsSync(`${file}.damaged`)).toBe(false);
  });
});
