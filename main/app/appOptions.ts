/** What a host gives the app at its start. */
import type { SecretKind } from '#contract/app/secretKind.ts';
import type { HostInfo } from '#contract/bridge/host.ts';
import type { EngineStart } from '#contract/local/engine.ts';
import type { StreamAnswer } from '#contract/local/settings.ts';
import type { Logger } from 'pino';
import type { ShowKey } from './bridge/apiKeys.ts';
import type { Crashes } from './crashes/crashes.ts';
import type { BridgeOptions } from './bridge/router.ts';
import type { EngineChild } from './engine/engineProcess.ts';
import type { DataHost } from './storage/dataWork.ts';
import type { UpdateService } from './bridge/host/updates.ts';

export interface AppOptions {
  dataDir: string;
  version: string;
  hostKind: HostInfo['kind'];
  /** Address and port of the engine; port 0: any free one. */
  engineHost: string;
  enginePort: number;
  /** Whether this host serves a page; true by default. */
  hasPage?: boolean;
  desktop?: BridgeOptions['desktop'];
  /** Accepted host names of requests to the engine, besides the loopback names. */
  allowedHosts: string[];
  forkEngine: () => EngineChild;
  /** The crashes of all parts. They belong to the host, which sees more of them than the app. */
  crashes: Crashes;
  /** Starts the process that accesses the system's keychain. */
  forkKeychain: () => EngineChild;
  /** The default store of keys, and the passphrase of the encrypted file, for hosts without a person. */
  keys: { kind: SecretKind | null; passphrase: string | null };
  /** Moves, replaces and removes the data between two runs of the app. */
  dataHost: DataHost;
  /** Present if the host updates itself. */
  updates?: UpdateService;
  /** Shows a new API key to the person, outside of the page. */
  showKey: ShowKey;
  workerKitDir: string;
  /** The folder of the files that come with Hangar: examples and the code of new handlers. */
  resourcesDir: string;
  /** The key of this run's own requests. */
  runKey: string;
  /** The form of /stream answers of this machine in this run; null, or absent: its settings hold. */
  streamAnswer?: StreamAnswer | null;
  logLevel: EngineStart['logLevel'];
  /** Whether the page may open shells of this computer; true by default. */
  allowsHostShell?: boolean;
  /** The umask of files of workers: the umask with which this program was started. */
  workerMask: number;
  logger: Logger;
  /** Called with each message of the engine about its data, at its start and at each restart. */
  onNotice?: (notice: string) => void;
}
