import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnownHosts, fingerprintOf } from './knownHosts.ts';

/** A key as a host sends it: the algorithm, then numbers. */
function keyOf(text: string, algorithm = 'ssh-ed25519'): Buffer {
  const part = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  return Buffer.concat([part(Buffer.from(algorithm)), part(Buffer.from(text.padEnd(32, '.')))]);
}

describe('hosts that are known', () => {
  let folder: string;
  let file: string;
  const host = { host: '1.2.3.4', port: 22_001 };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hangar-known-'));
    file = join(folder, 'known_hosts');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are new until they are remembered, and changed when they show another key then', () => {
    const known = createKnownHosts(file);
    expect(known.check(host, keyOf('one'))).toEqual({ is: 'new' });
    known.remember(host, keyOf('one'));
    expect(known.check(host, keyOf('one'))).toEqual({ is: 'known' });
    expect(known.check(host, keyOf('two'))).toEqual({ is: 'changed', remembered: [fingerprintOf(keyOf('one'))] });
    // Another kind of key is another key.
    expect(known.check(host, keyOf('one', 'ssh-rsa'))).toMatchObject({ is: 'changed' });
    // Another port of the same address is another Pod.
    expect(known.check({ ...host, port: 22_002 }, keyOf('two'))).toEqual({ is: 'new' });
    expect(known.algorithmsOf(host)).toEqual(['ssh-ed25519']);
    known.forget(host);
    expect(known.check(host, keyOf('two'))).toEqual({ is: 'new' });
  });

  it('stand in a file that ssh itself can use, for its owner alone', () => {
    const known = createKnownHosts(file);
    known.remember(host, keyOf('one'));
    known.remember({ host: 'ssh.example.org', port: 22 }, keyOf('two'));
    const lines = [
      `[1.2.3.4]:22001 ssh-ed25519 ${keyOf('one').toString('base64')}`,
      `ssh.example.org ssh-ed25519 ${keyOf('two').toString('base64')}`,
    ];
    expect(readFileSync(file, 'utf8')).toBe(`${lines.join('\n')}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(known.list()).toEqual([
      { ...host, algorithm: 'ssh-ed25519', fingerprint: fingerprintOf(keyOf('one')) },
      { host: 'ssh.example.org', port: 22, algorithm: 'ssh-ed25519', fingerprint: fingerprintOf(keyOf('two')) },
    ]);
  });

  it('may be written by other programs: with several names, with hidden ones, and with lines that are kept as they are', () => {
    const salt = Buffer.from('some salt');
    const hash = createHmac('sha1', salt).update('[1.2.3.4]:22001').digest('base64');
    const otherLines = ['# a comment', '@revoked * ssh-rsa AAAA', 'not a line at all'];
    const hidden = `|1|${salt.toString('base64')}|${hash} ssh-ed25519 ${keyOf('one').toString('base64')} a note`;
    const named = `ssh.example.org,10.0.0.1 ssh-ed25519 ${keyOf('two').toString('base64')}`;
    writeFileSync(file, [...otherLines, hidden, named].join('\r\n'));
    const known = createKnownHosts(file);
    expect(known.check(host, keyOf('one'))).toEqual({ is: 'known' });
    expect(known.check({ host: '10.0.0.1', port: 22 }, keyOf('two'))).toEqual({ is: 'known' });
    known.forget(host);
    expect(readFileSync(file, 'utf8')).toBe(`${[...otherLines, named].join('\n')}\n`);
  });
});
