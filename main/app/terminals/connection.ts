/** A connection over SSH: made with the person's keys to a host whose key is known, and kept alive. */
import { limits } from '#contract/core/limits.ts';
import type { SshWay } from '#contract/app/ssh.ts';
import type { SshQuestion } from '#contract/local/terminalLink.ts';
import type { AnyAuthMethod, Client, ServerHostKeyAlgorithm } from 'ssh2';
import { SshFailure } from './failure.ts';
import type { Identities } from './identities.ts';
import { algorithmOf, fingerprintOf, type KnownHosts } from './knownHosts.ts';

export interface Connection {
  readonly client: Client;
  /** Settles with why it is over. */
  readonly closed: Promise<string>;
  end(): Promise<void>;
}

export interface Connector {
  /** Rejects with SshFailure. */
  connect(way: SshWay, signal: AbortSignal): Promise<Connection>;
  /** Remembers the key that the host has shown; false where it is not that one. */
  trust(host: Pick<SshWay, 'host' | 'port'>, fingerprint: string): boolean;
}

type Failing = Error & { level?: string; code?: string };

const atOf = ({ host, port }: Pick<SshWay, 'host' | 'port'>): string => `${host}:${port}`;

const ALGORITHMS: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
];

/** A host that has several keys shows one of those that are remembered. Keys of RSA sign in newer ways as well. */
function algorithmsFor(remembered: readonly string[]): ServerHostKeyAlgorithm[] {
  const isRemembered = (name: string): boolean => remembered.includes(name.startsWith('rsa-') ? 'ssh-rsa' : name);
  return ALGORITHMS.toSorted((a, b) => Number(isRemembered(b)) - Number(isRemembered(a)));
}

export function createConnector({
  knownHosts,
  identities,
}: {
  knownHosts: KnownHosts;
  identities: Identities;
}): Connector {
  /** Keys that were shown and not known, by where. */
  const shown = new Map<string, Buffer>();

  function questionOf(way: SshWay, key: Buffer): SshQuestion | null {
    const { host, port } = way;
    const verdict = knownHosts.check(way, key);
    if (verdict.is === 'known') return null;
    const about = { host, port, algorithm: algorithmOf(key), fingerprint: fingerprintOf(key) };
    if (verdict.is === 'changed') return { kind: 'changed-host', ...about, remembered: verdict.remembered };
    shown.set(atOf(way), key);
    return { kind: 'new-host', ...about };
  }

  function failureOf(
    error: Failing,
    way: SshWay,
    question: SshQuestion | null,
    words: string,
    asksPassword: boolean,
  ): SshFailure {
    const at = atOf(way);
    if (question?.kind === 'new-host') {
      return new SshFailure('refused', `${at} was never connected to from here. Is its key the right one?`, question);
    }
    if (question !== null) {
      const message = `${at} shows another host key than the one that is remembered. Either the Pod was made anew or another one has its address now, or somebody is in between. Nothing was sent.`;
      return new SshFailure('refused', message, question);
    }
    if (error.level === 'client-authentication') {
      const asks = asksPassword ? ' and asks for a password, which Hangar does not send' : '';
      const message = `${way.username}@${at} does not take your key (${words})${asks}. A Pod takes the public keys that it was started with, as its variable PUBLIC_KEY: add yours to the account, then restart the Pod.`;
      return new SshFailure('refused', message);
    }
    if (error.code === 'ECONNREFUSED') {
      return new SshFailure(
        'lost',
        `Nothing answers at ${at}: its sshd may not have started yet, or its image has none.`,
      );
    }
    if (error.level === 'client-timeout') return new SshFailure('lost', `${at} did not answer in time.`);
    if (error.level === 'handshake')
      return new SshFailure('refused', `${at} and Hangar have no way to speak: ${error.message}.`);
    return new SshFailure('lost', `${at} could not be reached: ${error.message}.`);
  }

  return {
    async connect(way, signal) {
      const [ssh2, { methods, words }] = await Promise.all([import('ssh2'), identities.methods(way.username)]);
      const client = new ssh2.default.Client();
      let question: SshQuestion | null = null;
      let asksPassword = false;
      let tried = 0;
      let reason = 'The connection was closed by the other side.';
      const closed = new Promise<string>((resolve) => client.once('close', () => resolve(reason)));
      const remembered = knownHosts.algorithmsOf(way);
      const abort = (): void => void client.destroy();
      signal.addEventListener('abort', abort);
      try {
        await new Promise<void>((resolve, reject) => {
          const fail = (error: Failing): void => reject(failureOf(error, way, question, words, asksPassword));
          client.once('ready', resolve);
          client.on('error', (error: Failing) => {
            reason =
              error.level === 'client-timeout' ? 'The other side gave no sign of life any more.' : `${error.message}.`;
            fail(error);
          });
          client.once('close', () => fail(new Error('the connection was closed')));
          if (signal.aborted) {
            fail(new Error('given up'));
            return;
          }
          client.connect({
            host: way.host,
            port: way.port,
            username: way.username,
            readyTimeout: limits.ssh.readyMs,
            keepaliveInterval: limits.ssh.aliveMs,
            keepaliveCountMax: limits.ssh.aliveMost,
            algorithms: { serverHostKey: algorithmsFor(remembered) },
            hostVerifier: (key: Buffer) => {
              question = questionOf(way, key);
              return question === null;
            },
            authHandler: (left, _partial, next) => {
              asksPassword = left?.some((name) => name === 'password' || name === 'keyboard-interactive') ?? false;
              // Without another method it takes false, which its types do not know.
              next((methods[tried++] ?? false) as AnyAuthMethod);
            },
          });
        });
      } catch (error) {
        client.destroy();
        throw error;
      } finally {
        signal.removeEventListener('abort', abort);
      }
      return {
        client,
        closed,
        async end() {
          client.end();
          client.destroy();
          await closed;
        },
      };
    },

    trust(host, fingerprint) {
      const key = shown.get(atOf(host));
      if (key === undefined || fingerprintOf(key) !== fingerprint) return false;
      shown.delete(atOf(host));
      knownHosts.remember(host, key);
      return true;
    },
  };
}
