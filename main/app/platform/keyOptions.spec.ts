/** Rules of what whoever starts Hangar says about its keys. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyOptionsError, takeKeyOptions } from './keyOptions.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-given-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function passphraseFile(text: string): string {
  const path = join(folder, 'passphrase');
  writeFileSync(path, text);
  return path;
}

describe('what is said of keys at the start', () => {
  it('is nothing where the environment says nothing, or names what is empty', () => {
    expect(takeKeyOptions({})).toEqual({ kind: null, passphrase: null });
    expect(takeKeyOptions({ HANGAR_KEYS: '', HANGAR_PASSPHRASE: '' })).toEqual({ kind: null, passphrase: null });
  });

  it('is a passphrase that leaves the environment, so that no program inherits it', () => {
    const env = { HANGAR_KEYS: 'file', HANGAR_PASSPHRASE: 'open sesame', PATH: '/bin' };
    expect(takeKeyOptions(env)).toEqual({ kind: 'file', passphrase: 'open sesame' });
    expect(env).toEqual({ HANGAR_KEYS: 'file', PATH: '/bin' });
  });

  it('is rather what a file holds, without its line end, and the variable leaves the environment all the same', () => {
    for (const end of ['', '\n', '\r\n']) {
      const env = { HANGAR_PASSPHRASE_FILE: passphraseFile(` two words${end}`), HANGAR_PASSPHRASE: 'another' };
      expect(takeKeyOptions(env).passphrase).toBe(' two words');
      expect(env).not.toHaveProperty('HANGAR_PASSPHRASE');
    }
    expect(takeKeyOptions({ HANGAR_PASSPHRASE_FILE: passphraseFile('\n') }).passphrase).toBeNull();
  });

  it('is refused in a sentence where it cannot be followed, which repeats no passphrase', () => {
    const missing = join(folder, 'missing');
    const refused = (env: NodeJS.ProcessEnv): string => {
      try {
        return JSON.stringify(takeKeyOptions(env));
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(KeyOptionsError);
        return (thrown as Error).message;
      }
    };
    expect(refused({ HANGAR_PASSPHRASE_FILE: missing })).toContain(`${missing}, which HANGAR_PASSPHRASE_FILE names`);
    const kinds = refused({ HANGAR_KEYS: 'plain', HANGAR_PASSPHRASE: 'open sesame' });
    expect(kinds).toBe('HANGAR_KEYS must be one of keychain, file, memory, not "plain".');
    expect(refused({ HANGAR_KEYS: 'file' })).toMatch(/^HANGAR_KEYS=file needs a passphrase: .*HANGAR_PASSPHRASE_FILE/);
  });
});
