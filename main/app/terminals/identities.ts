/** The SSH keys of the person for Pods: the keys of an agent, or one key file, whose passphrase is requested once. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf, toAppError } from '#contract/core/errors.ts';
import type { SshNow } from '#contract/bridge/ssh.ts';
import type { SshIdentity } from '#contract/app/ssh.ts';
import type { Logger } from 'pino';
import type { AnyAuthMethod, ParsedKey } from 'ssh2';
import { SshFailure } from './failure.ts';
import { algorithmOf, fingerprintOf } from './knownHosts.ts';
import { errorCode } from '../platform/systemError.ts';

/** The store for passphrases that the person wants to keep. */
export interface PassphraseStore {
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

export interface IdentitiesOptions {
  identity: () => SshIdentity;
  passphrases: PassphraseStore;
  home: string;
  platform: NodeJS.Platform;
  /** The socket of the agent, from the environment. */
  agentSocket: string | undefined;
  logger: Logger;
}

export interface Identities {
  /** The authentication methods for `username`, and a description of the keys. Rejects with SshFailure. */
  methods(username: string): Promise<{ methods: AnyAuthMethod[]; words: string }>;
  now(): Promise<Pick<SshNow, 'offers' | 'problem' | 'locked'>>;
  /** Rejects with BAD_REQUEST if the passphrase is wrong. */
  unlock(passphrase: string, keep: boolean): Promise<void>;
  /** Forgets a stored passphrase. */
  lock(): Promise<void>;
}

type KeySource = { in: 'agent'; socket: string; keys: ParsedKey[] } | { in: 'file'; path: string };

const USUAL_FILES = ['id_ed25519', 'id_ecdsa', 'id_rsa'];
const WINDOWS_AGENT = '\\\\.\\pipe\\openssh-ssh-agent';

const nameOf = (path: string): string => `ssh/${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
const lineOf = (key: ParsedKey): string =>
  [key.type, key.getPublicSSH().toString('base64'), key.comment].filter(Boolean).join(' ');
const shortOf = (key: ParsedKey): string => `${key.type} ${fingerprintOf(key.getPublicSSH())}`;

// Loaded on the first connection to a Pod: most people never need it.
const load = async () => (await import('ssh2')).default;

const isParsed = (key: unknown): key is ParsedKey => typeof key === 'object' && key !== null && 'getPublicSSH' in key;

/** The keys of an agent. Rejects if it does not answer. */
async function agentKeys(at: string): Promise<ParsedKey[]> {
  const ssh2 = await load();
  return new Promise((resolve, reject) => {
    ssh2.createAgent(at).getIdentities((error, keys) => {
      if (error) reject(error);
      else resolve((keys ?? []).filter(isParsed));
    });
  });
}

/** Where a key file is chosen, for messages elsewhere. */
const IN_SETTINGS = ' (Settings, SSH)';

/** The source of the key. Rejects with SshFailure if there is none. */
async function findSource(choice: SshIdentity, home: string, socket: string | null): Promise<KeySource> {
  if (choice.from === 'file') return { in: 'file', path: choice.path.replace(/^~(?=[\\/])/, home) };
  let reason = 'no agent runs (SSH_AUTH_SOCK is not set)';
  if (socket !== null) {
    try {
      const keys = await agentKeys(socket);
      if (keys.length > 0) return { in: 'agent', socket, keys };
      reason = 'the agent has no key';
    } catch (error) {
      reason = `the agent at ${socket} does not answer (${messageOf(error)})`;
    }
  }
  const files = choice.from === 'agent' ? [] : USUAL_FILES.map((name) => join(home, '.ssh', name));
  const path = files.find(existsSync);
  if (path !== undefined) return { in: 'file', path };
  const also = choice.from === 'agent' ? '' : `, and there is no key file in ${join(home, '.ssh')}`;
  throw new SshFailure(
    'refused',
    `There is no key to sign in with: ${reason}${also}. Add one to the agent, make one with ssh-keygen, or choose a key file${IN_SETTINGS}.`,
  );
}

export function createIdentities(options: IdentitiesOptions): Identities {
  const { identity, passphrases, home, platform, logger } = options;
  /** Keys opened since the app started, by path and content of the file: opening one again takes a second. */
  const opened = new Map<string, { text: Buffer; key: ParsedKey }>();
  const socket = options.agentSocket ?? (platform === 'win32' ? WINDOWS_AGENT : null);

  const find = (): Promise<KeySource> => findSource(identity(), home, socket);

  async function parse(path: string, passphrase: string | null): Promise<ParsedKey | 'locked'> {
    const { utils } = await load();
    let text: Buffer;
    try {
      text = await readFile(path);
    } catch (error) {
      const code = errorCode(error);
      const problem = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
      throw new SshFailure('refused', `The key file ${path} ${problem}. Choose another one${IN_SETTINGS}.`);
    }
    const before = opened.get(path);
    if (before?.text.equals(text) && passphrase === null) return before.key;
    const key = utils.parseKey(text, passphrase ?? undefined);
    // A file of the newer format may contain several keys; ssh itself also uses the first one.
    const [first = new Error('it holds no key')] = [key].flat();
    if (!(first instanceof Error)) {
      if (first.isPrivateKey()) {
        opened.set(path, { text, key: first });
        return first;
      }
      throw new SshFailure('refused', `${path} holds a public key. Choose the file with the private one.`);
    }
    if (/encrypted|passphrase|bad decrypt|integrity check/i.test(first.message)) return 'locked';
    throw new SshFailure('refused', `${path} is not a private key that can be read: ${first.message}.`);
  }

  async function keyOf(path: string): Promise<ParsedKey | 'locked'> {
    const key = await parse(path, null);
    if (key !== 'locked') return key;
    let stored: string | null;
    try {
      stored = await passphrases.get(nameOf(path));
    } catch (err) {
      // The store of passphrases is locked or not available: the person is asked, as if none were stored.
      logger.warn({ err }, 'the passphrase of an SSH key could not be read');
      return 'locked';
    }
    return stored === null ? 'locked' : parse(path, stored);
  }

  return {
    async methods(username) {
      const source = await find();
      if (source.in === 'agent') {
        const words = `${source.keys.map(shortOf).join(', ')}, from the agent`;
        return { methods: [{ type: 'agent', username, agent: source.socket }], words };
      }
      const key = await keyOf(source.path);
      if (key === 'locked') {
        const question = { kind: 'passphrase' as const, file: source.path };
        throw new SshFailure('refused', `The key in ${source.path} needs its passphrase.`, question);
      }
      return { methods: [{ type: 'publickey', username, key }], words: `${shortOf(key)}, from ${source.path}` };
    },

    async now() {
      try {
        const source = await find();
        const keys = source.in === 'file' ? [await keyOf(source.path)] : source.keys;
        if (keys.includes('locked')) return { offers: [], problem: null, locked: true };
        const from = source.in === 'agent' ? 'the agent' : source.path;
        const offers = keys
          .filter((one) => one !== 'locked')
          .map((one) => {
            const blob = one.getPublicSSH();
            return { from, algorithm: algorithmOf(blob), fingerprint: fingerprintOf(blob), line: lineOf(one) };
          });
        return { offers, problem: null, locked: false };
      } catch (error) {
        return {
          offers: [],
          // The settings show it themselves.
          problem: (error instanceof SshFailure ? error.message : toAppError(error).message).replace(IN_SETTINGS, ''),
          locked: false,
        };
      }
    },

    async unlock(passphrase, keep) {
      const source = await find();
      if (source.in === 'agent') throw new AppError('BAD_REQUEST', 'Keys of the agent need no passphrase here.');
      if ((await parse(source.path, passphrase)) === 'locked') {
        throw new AppError('BAD_REQUEST', `This is not the passphrase of ${source.path}.`);
      }
      if (keep) await passphrases.set(nameOf(source.path), passphrase);
    },

    async lock() {
      const source = await find();
      if (source.in === 'agent') return;
      opened.delete(source.path);
      await passphrases.delete(nameOf(source.path));
    },
  };
}
