/** Rules of the encrypted file of keys, with real files and a cheap scrypt. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVaultFile, type VaultFile } from './vaultFile.ts';
import { needsPosix } from '../../../test/support/core/skip.ts';

const cheap = { N: 1024, r: 8, p: 1 };
const PASSPHRASE = 'correct horse battery';
let folder: string;
let path: string;
let vault: VaultFile;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-vault-'));
  path = join(folder, 'secrets.vault');
  vault = createVaultFile(path, cheap);
  await vault.create(PASSPHRASE);
  await vault.set('account/1', 'rpa_of-the-account');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const again = (): VaultFile => createVaultFile(path, cheap);

describe('the encrypted file', () => {
  it('holds its entries for who has the passphrase, and no plain text of names, values or passphrase', async () => {
    const text = readFileSync(path, 'utf8');
    for (const secret of ['rpa_of-the-account', 'account/1', PASSPHRASE]) expect(text).not.toContain(secret);
    const later = again();
    await expect(later.get('account/1')).rejects.toMatchObject({
      code: 'SECRETS_UNAVAILABLE',
      details: { trouble: 'locked' },
    });
    await later.unlock(PASSPHRASE);
    expect(await later.get('account/1')).toBe('rpa_of-the-account');
    await later.delete('account/1');
    expect(await later.get('account/1')).toBeNull();
  });

  it('is for its owner alone', needsPosix, () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('names its parameters, and takes a file that was made with others', async () => {
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      kdf: { name: 'scrypt', ...cheap },
      cipher: 'aes-256-gcm',
    });
    const other = createVaultFile(path, { N: 2048, r: 4, p: 2 });
    await other.unlock(PASSPHRASE);
    expect(await other.get('account/1')).toBe('rpa_of-the-account');
  });

  it('tells a wrong passphrase from a damaged file', async () => {
    await expect(again().unlock('wrong passphrase')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const whole = readFileSync(path, 'utf8');
    const file = JSON.parse(whole) as { sealed: string; kdf: { N: number } };
    const flipped = file.sealed.startsWith('A') ? `B${file.sealed.slice(1)}` : `A${file.sealed.slice(1)}`;
    for (const damaged of [
      whole.slice(0, 100),
      '',
      JSON.stringify({ ...file, sealed: flipped }),
      JSON.stringify({ ...file, kdf: { ...file.kdf, N: 2048 } }),
    ]) {
      writeFileSync(path, damaged);
      await expect(again().unlock(PASSPHRASE)).rejects.toMatchObject({ details: { trouble: 'damaged' } });
    }
  });

  it('takes another passphrase from who knows the one before', async () => {
    await expect(vault.changePassphrase('wrong passphrase', 'another passphrase')).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await vault.changePassphrase(PASSPHRASE, 'another passphrase');
    await vault.set('account/2', 'two');
    await expect(again().unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const later = again();
    await later.unlock('another passphrase');
    expect(await later.get('account/1')).toBe('rpa_of-the-account');
    expect(await later.get('account/2')).toBe('two');
  });

  it('stays as it was where it cannot be written', async () => {
    rmSync(folder, { recursive: true });
    await expect(vault.set('account/2', 'two')).rejects.toMatchObject({ details: { trouble: 'failed' } });
    expect(await vault.get('account/2')).toBeNull();
    expect(await vault.get('account/1')).toBe('rpa_of-the-account');
  });

  it('loses nothing that is set at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => vault.set(`many/${n}`, `value ${n}`)));
    const later = again();
    await later.unlock(PASSPHRASE);
    expect(await later.get('many/0')).toBe('value 0');
    expect(await later.get('many/19')).toBe('value 19');
  });
});
