/** An SSH connection: it uses the person's keys, requires a known host key, and sends keepalives. */
import { limits } from '#contract/core/limits.ts';
import type { SshWay } from '#contract/app/ssh.ts';
import type { SshQuestion } from '#contract/local/terminalLink.ts';
import { pause, type Clock } from '../platform/clock.ts';
import type { AnyAuthMethod, Client, ServerHostKeyAlgorithm } from 'ssh2';
import { SshFailure } from './failure.ts';
import type { Identities } from './identities.ts';
import { algorithmOf, fingerprintOf, type KnownHosts } from './knownHosts.ts';

export interface Connection {
  readonly client: Client;
  /** Resolves with the reason of its end. */
  readonly closed: Promise<string>;
  end(): Promise<void>;
  /**
   * Ends the connection unless the other side answers within `limits.ssh.wokenMs`. After a sleep, a connection can be
   * dead without a sign of it. Never rejects.
   */
  check(): Promise<void>;
}

export interface Connector {
  /** Rejects with SshFailure. */
  connect(way: SshWay, signal: AbortSignal): Promise<Connection>;
  /** Remembers the key that the host has just shown; false if its fingerprint differs. */
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

/** A host with several keys shows a remembered one. RSA keys also sign with newer algorithms. */
function algorithmsFor(remembered: readonly string[]): ServerHostKeyAlgorithm[] {
  const isRemembered = (name: string): boolean => remembered.includes(name.startsWith('rsa-') ? 'ssh-rsa' : name);
  return ALGORITHMS.toSorted((a, b) => Number(isRemembered(b)) - Number(isRemembered(a)));
}

/** Why a connection failed, for a person. `words`: the keys that were tried. */
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
    const message = `${at} has a different host key than before. The Pod was recreated, another Pod has its address now, or somebody is intercepting the connection. Nothing was sent.`;
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

/** Whether the other side answers, or closes the connection, within `limits.ssh.wokenMs`. */
async function answers(client: Client, closed: Promise<unknown>, clock: Clock): Promise<boolean> {
  const answer = new Promise<void>((resolve) => {
    // Every server must answer this request, if only with a refusal: it forwards no such port.
    client.unforwardIn('', 0, () => resolve());
  });
  const done = new AbortController();
  const isThere = Promise.race([answer, closed]).then(
    () => true,
    // The connection has just ended.
    () => true,
  );
  const silence = pause(clock, limits.ssh.wokenMs, done.signal).then(() => false);
  try {
    return await Promise.race([isThere, silence]);
  } finally {
    done.abort();
  }
}

export interface ConnectorOptions {
  knownHosts: KnownHosts;
  identities: Identities;
  clock: Clock;
}

export function createConnector({ knownHosts, identities, clock }: ConnectorOptions): Connector {
  /** Unknown keys that hosts have shown, by address. */
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
              // oxlint-disable-next-line typescript/consistent-type-assertions -- ssh2 takes `false` where no method is left
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
        async check() {
          if (await answers(client, closed, clock)) return;
          reason = 'The connection did not survive the sleep of this computer.';
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
