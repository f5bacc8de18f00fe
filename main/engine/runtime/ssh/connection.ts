/** One connection to the SSH server: who signs in, and what the connection may open. */
import type { AuthContext, Connection, ParsedKey, PublicKeyAuthContext, TcpipRequestInfo } from 'ssh2';
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { Ids, Logger } from '../../domain/core/ports.ts';
import type { RunningContainers } from '../containers/runningContainers.ts';
import { openPort } from '../terminals/portRelay.ts';
import type { AuthorizedKey } from './authorizedKeys.ts';
import { serveSession } from './session.ts';

export interface ConnectionParts {
  ids: Ids;
  logger: Logger;
  containers: Pick<RunningContainers, 'ofPod'>;
  /** The keys that may sign in to the Pod with this id. */
  keysOf(podId: string): Promise<AuthorizedKey[]>;
  /** Both ends of the connection, as in the variable SSH_CONNECTION. */
  addresses: string;
  /** Called once the client has signed in. */
  onSignIn(): void;
}

export interface ServedConnection {
  /** Ends it if its key may not sign in any more. Never rejects. */
  check(): Promise<void>;
}

/** Keys that a client may try. */
const MOST_TRIES = 6;
/** Sessions and forwarded connections at once. */
const MOST_CHANNELS = 64;
/** The names of the Pod itself, for forwarded ports. */
const OWN_NAMES = ['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'];

/** RSA with SHA-1 can be forged: a client has to name a newer algorithm. */
const isWeak = ({ key, signature, hashAlgo }: PublicKeyAuthContext): boolean =>
  key.algo === 'ssh-rsa' && signature !== undefined && (hashAlgo === undefined || hashAlgo === 'sha1');

const isOf = ({ key }: PublicKeyAuthContext, allowed: ParsedKey): boolean => allowed.getPublicSSH().equals(key.data);

/** Serves the connection until it ends. `server`: its SSH side. */
export function serveConnection(server: Connection, parts: ConnectionParts): ServedConnection {
  const { ids, logger, containers, keysOf, addresses, onSignIn } = parts;
  let signedIn: { podId: string; key: ParsedKey } | null = null;
  let tries = 0;
  let channels = 0;

  async function container() {
    const podId = signedIn?.podId ?? '';
    const running = await containers.ofPod(podId);
    if (running) return running;
    throw new AppError(
      'NOT_FOUND',
      `No container of a Pod ${JSON.stringify(podId.slice(0, 100))} runs here. Start it.`,
    );
  }

  function refuse(context: AuthContext): void {
    context.reject(['publickey']);
    if (context.method !== 'none' && ++tries >= MOST_TRIES) server.end();
  }

  async function authenticate(context: AuthContext): Promise<void> {
    if (context.method !== 'publickey' || isWeak(context)) return refuse(context);
    const { username, signature, blob, hashAlgo } = context;
    const allowed = (await keysOf(username)).find(({ key }) => isOf(context, key));
    if (!allowed) return refuse(context);
    // Without a signature the client asks whether the key would do.
    if (signature === undefined || blob === undefined) return context.accept();
    if (!allowed.key.verify(blob, signature, hashAlgo)) return refuse(context);
    onSignIn();
    signedIn = { podId: username, key: allowed.key };
    context.accept();
    logger.info({ podId: username, key: allowed.fingerprint }, 'signed in over SSH');
  }

  async function forward(
    accept: () => { pipe: NodeJS.ReadableStream['pipe'] } & NodeJS.ReadWriteStream & { destroy(): unknown },
    reject: () => void,
    { destIP, destPort }: TcpipRequestInfo,
  ): Promise<void> {
    if (!OWN_NAMES.includes(destIP.toLowerCase())) return reject();
    try {
      const port = await openPort(await container(), destPort, ids.random(8));
      const channel = accept();
      channels++;
      channel.on('close', () => {
        channels--;
        port.close();
      });
      channel.on('error', () => undefined);
      port.output.on('close', () => channel.end());
      channel.pipe(port.input);
      port.output.pipe(channel);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'INTERNAL') logger.error({ err: error.cause ?? error }, 'a port could not be forwarded');
      else logger.debug({ reason: error.message }, 'a port was not forwarded');
      reject();
    }
  }

  server.on('authentication', (context) => {
    authenticate(context).catch((err: unknown) => {
      logger.error({ err }, 'a key could not be checked');
      refuse(context);
    });
  });
  server.on('session', (accept, reject) => {
    if (channels >= MOST_CHANNELS) return reject();
    channels++;
    const session = accept();
    session.on('close', () => channels--);
    serveSession(session, { container, ids, logger, connection: addresses });
  });
  server.on('tcpip', (accept, reject, info) => {
    if (channels >= MOST_CHANNELS) reject();
    else void forward(accept, reject, info);
  });
  // A client that goes without a word, or speaks another protocol.
  server.on('error', (err) => logger.debug({ err }, 'a connection over SSH failed'));

  return {
    async check() {
      if (!signedIn) return;
      const { podId, key } = signedIn;
      const allowed = await keysOf(podId).catch(() => []);
      if (!allowed.some((one) => one.key.getPublicSSH().equals(key.getPublicSSH()))) server.end();
    },
  };
}
