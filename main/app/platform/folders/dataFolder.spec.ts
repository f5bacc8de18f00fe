import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findDataFolder } from './dataFolder.ts';
import { defaultDataDir } from './defaultDataDir.ts';
import { ARRIVING, followMoves, MOVED_TO, requireUsable } from './movedFolder.ts';
import { needsLinux } from '../../../../test/support/core/skip.ts';

describe('the default data folder', () => {
  it('lies where each system keeps state', () => {
    expect(defaultDataDir({}, 'linux')).toBe(join(homedir(), '.local', 'state', 'hangar'));
    expect(defaultDataDir({ XDG_STATE_HOME: '/s' }, 'linux')).toBe(join('/s', 'hangar'));
    expect(defaultDataDir({}, 'darwin')).toContain(join('Library', 'Application Support', 'Hangar'));
    expect(defaultDataDir({ LOCALAPPDATA: String.raw`C:\l` }, 'win32')).toBe(String.raw`C:\l\Hangar\state`);
  });

  it('is what HANGAR_HOME says, wherever that is', () => {
    expect(defaultDataDir({ HANGAR_HOME: '/h', XDG_STATE_HOME: '/s' }, 'linux')).toBe(resolve('/h'));
  });
});

describe('a data folder that was moved', needsLinux, () => {
  let state: string;
  const folder = (name: string): string => join(state, name);
  const note = (name: string, file: string, content: object): void => {
    mkdirSync(folder(name), { recursive: true });
    writeFileSync(join(folder(name), file), JSON.stringify(content));
  };
  const moved = (from: string, to: string): void =>
    note(from, MOVED_TO, { to: folder(to), at: '2026-01-01T00:00:00Z' });
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'hangar-moved-'));
  });
  afterEach(() => rmSync(state, { recursive: true }));

  it('is found by the default folder, also after several moves', () => {
    moved('hangar', 'one');
    moved('one', 'two');
    mkdirSync(folder('two'));
    expect(findDataFolder(undefined, { XDG_STATE_HOME: state })).toEqual({
      dataDir: folder('two'),
      namedBy: 'default',
      movedFrom: [folder('hangar'), folder('one')],
    });
  });

  it('is refused under its old name, with the new one', () => {
    moved('hangar', 'one');
    const named = findDataFolder(folder('hangar'), {});
    expect(named).toEqual({ dataDir: folder('hangar'), namedBy: 'flag', movedFrom: [] });
    expect(() => requireUsable(named.dataDir)).toThrow(folder('one'));
  });

  it('comes back: the note of the folder that it comes from is the newer one', () => {
    moved('hangar', 'one');
    moved('one', 'hangar');
    note('hangar', ARRIVING, { from: folder('one'), startedAt: 1 });
    expect(followMoves(folder('hangar'))).toEqual([folder('hangar')]);
    expect(() => requireUsable(folder('hangar'))).not.toThrow();
  });

  it('is not looked for in a circle', () => {
    moved('hangar', 'one');
    moved('one', 'hangar');
    expect(followMoves(folder('hangar'))).toEqual([folder('hangar'), folder('one')]);
  });

  it('is not opened before the move is complete, nor while its disk is away', () => {
    note('one', ARRIVING, { from: folder('hangar'), startedAt: 1 });
    expect(() => requireUsable(folder('one'))).toThrow('is not complete');
    moved('hangar', 'one');
    expect(() => requireUsable(folder('one'), [folder('hangar')])).not.toThrow();
    rmSync(folder('one'), { recursive: true });
    expect(() => requireUsable(folder('one'), [folder('hangar')])).toThrow('Connect its disk');
  });
});
