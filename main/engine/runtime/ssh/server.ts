/**
 * The SSH server of the engine, into the containers of Pods: the user name is the id of the Pod. It is closed at first,
 * opens once a key may sign in to a Pod that runs, and closes when no key may any more.
 */
import { messageOf } from '#contract/core/errors.ts';
import type { Settings as SettingsValues } from '#contract/local/settings.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import type { Account } from '../../domain/access/owner.ts';
import type { Cancel, Clock, Ids, Logger } from '../../domain/core/ports.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import type { PodSsh } from '../../domain/terminals/ports.ts';
import type { RunningContainers } from '../containers/runningContainers.ts';
import { parseKeys, withFingerprints, type AuthorizedKey, type KeyText } from './authorizedKeys.ts';
import { serveConnection } from './connection.ts';
import { hostKey, type HostKey } from './hostKey.ts';
import { HOST, openListener, tryPort, type SshListener } from './listener.ts';

export interface SshServerOptions {
  dataDir: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  settings: { readonly current: SettingsValues; onChange(listener: () => void): Cancel };
  account: Pick<Account, 'pubKey' | 'onChange'>;
  pods: Pick<Pods, 'get' | 'list' | 'record' | 'onChange'>;
  containers: Pick<RunningContainers, 'ofPod'>;
}

export interface SshServer extends PodSsh {
  /** Opens the server as soon as it is needed. `enginePort`: the port of the engine. */
  begin(enginePort: number): void;
  /** Ends all connections. */
  stop(): Promise<void>;
}

/** From the port of the engine to that of the server. */
const NEXT_PORT = 22;
const LAST_PORT = 65_535;
const NO_KEY =
  'No key may sign in yet. Add a public key in Settings, SSH (the setting ssh.keys), or set the variable PUBLIC_KEY of the Pod.';
const NOT_RUNNING = 'The Pod is not running. Start it.';

const SET_PORT = 'choose one in Settings, SSH (the setting ssh.port).';

/** Why the server did not start, and what to do. `port`: the chosen one. */
function openFailure(error: unknown, port: number | null, enginePort: number): string {
  const code = systemCode(error);
  const other = 'choose another one in Settings, SSH (the setting ssh.port).';
  if (code === 'EADDRINUSE' && port === enginePort) return `Port ${port} is that of the API. For SSH, ${other}`;
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program. Free the port, or ${other}`;
  if (code === 'EACCES') return `The system does not allow Hangar to listen at port ${port}. Allow it, or ${other}`;
  return `The SSH server could not start: ${messageOf(error)}.`;
}

/** Why the server could not listen at the chosen port; null if it could, or if none is chosen. */
async function portProblem(port: number | null, enginePort: number): Promise<string | null> {
  if (port === null) return null;
  try {
    await tryPort(port);
    return null;
  } catch (error) {
    return openFailure(error, port, enginePort);
  }
}

/** The usual port, which follows the port of the engine; null where that is too high. */
function usualPortBeside(enginePort: number): number | null {
  const next = enginePort + NEXT_PORT;
  return next <= LAST_PORT ? next : null;
}

/**
 * What a person should know about the port of the server, with what to do; null for an expected port. `chosen`: the
 * setting, `usual`: the port without it.
 */
function noticeOf(port: number, chosen: number | null, usual: number | null): string | null {
  if (chosen !== null || port === usual) return null;
  const now = `The server listens at ${port}, and at another port after the next start`;
  const why =
    usual === null ? '' : `Port ${usual} cannot be used: another program has it, or the system does not allow it. `;
  return `${why}${now}. For a port that stays, ${SET_PORT}`;
}

/** The keys that may sign in to each Pod. */
function createPodKeys({ settings, account, pods }: Pick<SshServerOptions, 'settings' | 'account' | 'pods'>) {
  function textsOf(podId: string): KeyText[] {
    const { env } = pods.record(podId);
    return [
      { from: 'settings', text: settings.current.ssh.keys.join('\n') },
      { from: 'account', text: account.pubKey() },
      { from: 'pod', text: env['PUBLIC_KEY'] ?? '' },
    ];
  }
  /** None for an unknown Pod. */
  async function keysOf(podId: string): Promise<AuthorizedKey[]> {
    return pods.list().some(({ id }) => id === podId) ? parseKeys(textsOf(podId)) : [];
  }
  return {
    keysOf,
    /** Whether a key may sign in to a Pod. `isOpen`: whether the server listens. */
    async isNeeded(isOpen: boolean): Promise<boolean> {
      // A Pod that restarts, or stops, does not end the connections to another one.
      for (const { id } of pods.list(isOpen ? undefined : 'RUNNING')) {
        if ((await keysOf(id)).length > 0) return true;
      }
      return false;
    },
  };
}

export function createSshServer(options: SshServerOptions): SshServer {
  const { dataDir, clock, ids, logger, settings, account, pods, containers } = options;
  const { keysOf, isNeeded } = createPodKeys(options);
  const unlisten: Cancel[] = [];
  let enginePort = 0;
  let key: HostKey | null = null;
  let listening: SshListener | null = null;
  /** The chosen port when the server last started to listen. */
  let openedFor: number | null = null;
  let problem: string | null = null;
  let stopped = false;
  let turn = Promise.resolve();

  const usualPort = (): number | null => usualPortBeside(enginePort);
  const notice = (): string | null =>
    listening === null ? null : noticeOf(listening.port, settings.current.ssh.port, usualPort());

  /** Rejects with the code of the system if the chosen port cannot be used. */
  async function open(): Promise<SshListener> {
    key ??= await hostKey(dataDir);
    const chosen = settings.current.ssh.port;
    return openListener({
      clock,
      hostKey: key.secret,
      port: chosen ?? usualPort() ?? 0,
      takesOther: chosen === null,
      serve: (connection, addresses, onSignIn) =>
        serveConnection(connection, { ids, logger, containers, keysOf, addresses, onSignIn }),
    });
  }

  async function close(): Promise<void> {
    const open = listening;
    listening = null;
    await open?.close();
  }

  /** Whether the server listens elsewhere than the settings say since they have changed. */
  function isElsewhere({ port }: SshListener): boolean {
    const chosen = settings.current.ssh.port;
    return chosen !== openedFor && (chosen ?? usualPort()) !== port;
  }

  async function adjust(): Promise<void> {
    const needed = !stopped && (await isNeeded(listening !== null));
    const wanted = settings.current.ssh.port;
    if (listening !== null && (!needed || isElsewhere(listening))) await close();
    if (needed && listening === null) {
      try {
        openedFor = wanted;
        listening = await open();
        problem = null;
        logger.info({ port: listening.port }, 'SSH into Pods is served');
        const unusual = notice();
        if (unusual !== null) logger.warn({ port: listening.port }, unusual);
      } catch (error) {
        problem = openFailure(error, wanted, enginePort);
        logger.warn({ err: error }, 'the SSH server could not start');
      }
    }
    await listening?.check();
  }

  /** One after the other; the last one sees the last state. */
  function changed(work: () => Promise<void> = adjust): Promise<void> {
    turn = turn.then(work).catch((err: unknown) => logger.error({ err }, 'the SSH server could not be adjusted'));
    return turn;
  }

  return {
    begin(port) {
      enginePort = port;
      const onChange = (): void => void changed();
      unlisten.push(settings.onChange(onChange), account.onChange(onChange), pods.onChange(onChange));
      onChange();
    },
    async of(podId) {
      const { desiredStatus } = pods.get(podId);
      await changed();
      const keys = (await keysOf(podId)).map(({ key: _, ...facts }) => facts);
      const why = keys.length === 0 ? NO_KEY : desiredStatus === 'RUNNING' ? problem : NOT_RUNNING;
      const { port = null } = listening ?? {};
      const fingerprint = port === null ? null : (key?.fingerprint ?? null);
      const unusual = notice();
      const facts = { host: HOST, port, username: podId, hostKey: fingerprint, keys, problem: why };
      return unusual === null ? facts : { ...facts, notice: unusual };
    },
    async server() {
      await changed(async () => {
        await adjust();
        // The server itself tries only once it is needed, which may be long after the choice.
        if (listening === null && !(await isNeeded(false)))
          problem = await portProblem(settings.current.ssh.port, enginePort);
      });
      const { port: chosenPort, keys } = settings.current.ssh;
      return {
        host: HOST,
        port: listening?.port ?? null,
        chosenPort,
        usualPort: usualPort(),
        problem,
        notice: notice(),
        keys: await withFingerprints(keys),
      };
    },
    async stop() {
      stopped = true;
      for (const leave of unlisten) leave();
      await turn;
      await close();
    },
  };
}
