/** The public keys that may sign in to a Pod. */
import { createHash } from 'node:crypto';
import type { ParsedKey } from 'ssh2';
import type { PodSshKey, SshServerFacts } from '#contract/local/ssh/podSsh.ts';

export interface AuthorizedKey extends PodSshKey {
  readonly key: ParsedKey;
}

/** Text in the form of authorized_keys, and where it comes from. */
export interface KeyText {
  from: PodSshKey['from'];
  text: string;
}

/** The fingerprint of a public key in the format of the protocol, as OpenSSH prints it. */
export const fingerprintOf = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;

/**
 * A line begins with its algorithm. One that begins with options would allow more here than it was written to allow.
 */
const PLAIN = /^(?:ssh-|ecdsa-|sk-)\S+ /;

/** The keys of the texts. Comments, lines with options, and what is not a public key are left out. */
export async function parseKeys(texts: readonly KeyText[]): Promise<AuthorizedKey[]> {
  const lines = texts.flatMap(({ from, text }) => text.split(/\r?\n/).map((line) => ({ from, line: line.trim() })));
  const plain = lines.filter(({ line }) => PLAIN.test(line));
  if (plain.length === 0) return [];
  const { utils } = (await import('ssh2')).default;
  return plain.flatMap(({ from, line }) => {
    const key = utils.parseKey(line);
    if (key instanceof Error || key.isPrivateKey()) return [];
    return [{ from, algorithm: key.type, fingerprint: fingerprintOf(key.getPublicSSH()), comment: key.comment, key }];
  });
}

/** The lines of the setting, each with the fingerprint of its key. */
export function withFingerprints(lines: readonly string[]): Promise<SshServerFacts['keys']> {
  return Promise.all(
    lines.map(async (line) => {
      const [key] = await parseKeys([{ from: 'settings', text: line }]);
      return { line, fingerprint: key?.fingerprint ?? null };
    }),
  );
}
