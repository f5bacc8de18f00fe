/** Composes the SSH parts: the identity of the person, the known hosts, the terminals and the files. */
import { join } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import type { SshSettings, SshWays } from '#contract/app/ssh.ts';
import type { SshNow } from '#contract/bridge/ssh.ts';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Directory } from '../services/directory.ts';
import { createConnector } from './connection.ts';
import { createIdentities, type PassphraseStore } from './identities.ts';
import { createKnownHosts } from './knownHosts.ts';
import { createForwards, type Forwards } from './forwards/forwards.ts';
import { createPodFiles, type PodFiles } from './files/podFiles.ts';
import { createPodWays } from './routeFinder.ts';
import { createSettingsFile } from './settings.ts';
import { createRemoteShell } from './remoteShell.ts';
import { createAppTerminals, type AppTerminals, type AppTerminalsOptions } from './appTerminals.ts';
import { createUnfinishedUploads } from './files/resumableUploads.ts';

type Host = { host: string; port: number };

export interface Ssh {
  readonly terminals: Pick<AppTerminals, 'of' | 'count'>;
  readonly files: Pick<PodFiles, 'of'>;
  readonly forwards: Pick<Forwards, 'list' | 'start' | 'end' | 'leave'>;
  now(): Promise<SshNow>;
  change(changes: { [K in keyof SshSettings]?: SshSettings[K] | undefined }): Promise<SshNow>;
  ways(accountId: string, podId: string): Promise<SshWays>;
  trust(host: Host, fingerprint: string): void;
  forget(host: Host): void;
  unlock(passphrase: string, keep: boolean): Promise<void>;
  lock(): Promise<void>;
  /** This computer woke up: broken connections of terminals and files are made again, without a wait. */
  resumed(): void;
  /** Closes the connections to the Pods of a removed account. */
  leave(accountId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface SshOptions {
  dataDir: string;
  directory: Pick<Directory, 'compute' | 'get'>;
  passphrases: PassphraseStore;
  /** The home folder with the person's own keys. */
  home: string;
  agentSocket: string | undefined;
  clock: Clock;
  logger: Logger;
  /** Creates the emulator of a terminal's screen. */
  openScreen?: AppTerminalsOptions['openScreen'];
}

export function createSsh(options: SshOptions): Ssh {
  const { dataDir, directory, passphrases, home, agentSocket, clock, logger, openScreen } = options;
  const settings = createSettingsFile(join(dataDir, 'ssh.json'));
  const knownHosts = createKnownHosts(join(dataDir, 'known_hosts'));
  const identities = createIdentities({
    identity: () => settings.get().identity,
    passphrases,
    home,
    agentSocket,
    logger,
    platform: process.platform,
  });
  const connector = createConnector({ knownHosts, identities, clock });
  const ways = createPodWays(directory);
  const terminals = createAppTerminals({
    clock,
    kinds: ['pod'],
    idPrefix: '',
    openShell: ({ accountId, kind: _kind, targetId, beside: _, ...request }) =>
      createRemoteShell({
        ...request,
        clock,
        keeps: () => settings.get().keepsShells,
        async connect(signal) {
          const { way, to } = await ways.best(accountId, targetId);
          return { way, connection: await connector.connect(to, signal) };
        },
      }),
    ...(openScreen && { openScreen }),
  });
  const unfinished = createUnfinishedUploads(join(dataDir, 'uploads.json'));
  const forwards = createForwards({ directory, ways, connector });
  const files = createPodFiles({ clock, ways, connector, unfinished });

  const now = async (): Promise<SshNow> => ({
    settings: settings.get(),
    ...(await identities.now()),
    hosts: knownHosts.list(),
  });

  return {
    terminals,
    files,
    forwards,
    now,
    change(changes) {
      settings.change(changes);
      return now();
    },
    ways: (accountId, podId) => ways.of(accountId, podId),
    trust(host, fingerprint) {
      if (connector.trust(host, fingerprint)) return;
      throw new AppError('CONFLICT', `${host.host}:${host.port} did not send this key. Connect again and check it.`);
    },
    forget: (host) => knownHosts.forget(host),
    unlock: (passphrase, keep) => identities.unlock(passphrase, keep),
    lock: () => identities.lock(),
    resumed() {
      terminals.resumed();
      files.resumed();
    },
    async leave(accountId) {
      await Promise.all([terminals.leave(accountId), files.leave(accountId), forwards.leave(accountId)]);
    },
    async stop() {
      await Promise.all([terminals.stop(), files.stop(), forwards.stop()]);
    },
  };
}
