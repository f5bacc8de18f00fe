/** The trusted host keys, in a file with the format of OpenSSH: `<data>/known_hosts`. */
import { createHash, createHmac } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { SshHost } from '#contract/local/terminalLink.ts';
import { errorCode } from '../platform/systemError.ts';

export type Verdict = { is: 'known' | 'new' } | { is: 'changed'; remembered: string[] };

type Host = Pick<SshHost, 'host' | 'port'>;

/** Keys have the wire format of the protocol: the algorithm and its numbers. */
export interface KnownHosts {
  check(host: Host, key: Buffer): Verdict;
  /** The algorithms of the remembered keys of a host, from which the host must choose. */
  algorithmsOf(host: Host): string[];
  list(): SshHost[];
  remember(host: Host, key: Buffer): void;
  forget(host: Host): void;
}

interface Entry extends Host {
  algorithm: string;
  key: Buffer;
}

const USUAL_PORT = 22;

export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** The wire format begins with the length of the algorithm's name, and the name. */
export const algorithmOf = (key: Buffer): string => key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1');

const nameOf = ({ host, port }: Host): string => (port === USUAL_PORT ? host : `[${host}]:${port}`);

/** Names may be hashed as |1|salt|hash, so that the file does not reveal the hosts. */
function isNamed(names: string, name: string): boolean {
  return names.split(',').some((written) => {
    const [, kind, salt, hash] = written.split('|');
    if (kind !== '1' || salt === undefined) return written === name;
    return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
  });
}

function hostOf(name: string): Host {
  const [, host, port] = /^\[(.+)\]:(\d+)$/.exec(name) ?? [];
  return host === undefined ? { host: name, port: USUAL_PORT } : { host, port: Number(port) };
}

export function createKnownHosts(file: string): KnownHosts {
  function lines(): string[] {
    try {
      return readFileSync(file, 'utf8').split(/\r?\n/).filter(Boolean);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** Null for comments and for invalid lines; both stay in the file unchanged. */
  function entryOf(line: string): (Entry & { names: string }) | null {
    const [names, algorithm, text] = line.split(/\s+/);
    if (names === undefined || algorithm === undefined || text === undefined || /^[#@]/.test(names)) return null;
    const [first = names] = names.split(',');
    return { names, ...hostOf(first), algorithm, key: Buffer.from(text, 'base64') };
  }

  const entriesOf = (host: Host): Entry[] =>
    lines().flatMap((line) => {
      const entry = entryOf(line);
      return entry !== null && isNamed(entry.names, nameOf(host)) ? [entry] : [];
    });

  function write(content: readonly string[]): void {
    const draft = `${file}.new`;
    writeFileSync(draft, content.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    renameSync(draft, file);
  }

  return {
    check(host, key) {
      const entries = entriesOf(host);
      if (entries.some((entry) => entry.key.equals(key))) return { is: 'known' };
      if (entries.length === 0) return { is: 'new' };
      return { is: 'changed', remembered: entries.map((entry) => fingerprintOf(entry.key)) };
    },
    algorithmsOf: (host) => entriesOf(host).map(({ algorithm }) => algorithm),
    list: () =>
      lines().flatMap((line) => {
        const entry = entryOf(line);
        if (entry === null) return [];
        const { host, port, algorithm, key } = entry;
        return [{ host, port, algorithm, fingerprint: fingerprintOf(key) }];
      }),
    remember(host, key) {
      write([...lines(), `${nameOf(host)} ${algorithmOf(key)} ${key.toString('base64')}`]);
    },
    forget(host) {
      const all = lines();
      const remaining = all.filter((line) => {
        const entry = entryOf(line);
        // A hashed name is listed in its hashed form, and forgotten by it.
        return entry === null || !(isNamed(entry.names, nameOf(host)) || entry.names === host.host);
      });
      if (remaining.length < all.length) write(remaining);
    },
  };
}
