/** The accounts and their clients: account id to ComputeApi. This machine is one of the accounts. */
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Logger } from 'pino';
import { noKey } from '../accounts/health.ts';
import type { AccountRepository } from '../accounts/repository.ts';
import type { Clock } from '../platform/clock.ts';
import { createComputeApi, type ComputeApi } from '../compute/computeApi.ts';
import { createOutbound } from '../compute/http/outbound.ts';
import type { EngineProcess } from '../engine/engineProcess.ts';
import { createPodTunnel } from '../tunnel/podTunnel.ts';
import { createKeyCache, type CachedKey } from './keyCache.ts';
import { createAccountClient, type AccountClient } from './accounts/accountClient.ts';
import { tunnelHere, tunnelTo } from './accounts/tunnelRoutes.ts';
import type { Ledger } from '../ledger/port.ts';
import { notingNames } from './resourceNames.ts';
import type { SecretStore } from '../secrets/secretStore.ts';
import { ENGINE_NAME, engineAddress, thisMachine } from './localAccount.ts';

export type { ComputeApi } from '../compute/computeApi.ts';

export interface Directory {
  list(): Account[];
  /** Throws NOT_FOUND for an unknown account. */
  get(accountId: string): Account;
  /** Calls the listener at each change of any account. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Throws NOT_FOUND for an unknown account. */
  compute(accountId: string): ComputeApi;
  /** New requests use the new address and key; running ones finish with the old ones. */
  renew(accountId: string): void;
  /** Drops all cached keys. */
  dropKeys(): void;
  /** Aborts all requests to the account. */
  forget(accountId: string): void;
  stop(): Promise<void>;
}

export interface DirectoryOptions {
  engine: Pick<EngineProcess, 'status' | 'onStatus'>;
  runKey: string;
  repository: AccountRepository;
  secrets: Pick<SecretStore, 'get'>;
  /** Keeps the names of what is listed. */
  ledger: Pick<Ledger, 'resourceNames'>;
  clock: Clock;
  logger: Logger;
}

/** The name of an account's key in the store of secrets. */
export const keyName = (accountId: string): string => `account/${accountId}`;

interface CachedClient extends AccountClient {
  accountId: string;
  key: CachedKey;
  hasLocal: boolean;
}

const hasLocal = ({ capabilities }: Account): boolean => capabilities.includes('local');

export function createDirectory(options: DirectoryOptions): Directory {
  const { engine, runKey, repository, secrets, ledger, clock, logger } = options;
  const tunnel = createPodTunnel(logger);
  const outbound = createOutbound({
    name: ENGINE_NAME,
    logger,
    target: async (signal) => ({ address: await engineAddress(engine, clock, signal), key: runKey }),
  });
  const withNames = (accountId: string, compute: ComputeApi): ComputeApi =>
    notingNames(compute, (resources) => ledger.resourceNames.note(accountId, resources));
  const local = withNames(
    THIS_MACHINE,
    createComputeApi(
      { jobs: outbound, management: outbound, graphql: outbound },
      { hasLocal: true, dialect: 'v1', tunnel: tunnelHere(tunnel, engine, runKey) },
    ),
  );
  const clients = new Map<string, CachedClient>();
  /** Replaced clients, which get no new requests. */
  const renewed = new Set<CachedClient>();
  /** Clients that are stopping. */
  const stopping = new Set<Promise<void>>();

  function stopClient(one: CachedClient): void {
    one.key.drop();
    const stopped = one.stop().finally(() => stopping.delete(stopped));
    stopping.add(stopped);
  }

  function renew(accountId: string): void {
    const one = clients.get(accountId);
    if (!one) return;
    clients.delete(accountId);
    one.key.drop();
    renewed.add(one);
  }

  function get(accountId: string): Account {
    const account = accountId === THIS_MACHINE ? thisMachine(engine.status) : repository.find(accountId);
    if (account) return account;
    throw new AppError('NOT_FOUND', `There is no account "${accountId}".`);
  }

  function addClient(account: Account): CachedClient {
    const { id } = account;
    const key = createKeyCache(secrets, keyName(id), clock);
    const observer = {
      answered: () => repository.answered(id),
      failed: (error: AppError) => repository.failed(id, error),
    };
    const requireKey = async (): Promise<string> => {
      const value = await key.get();
      if (value !== null) return value;
      throw noKey(account.name);
    };
    const client = createAccountClient({
      account,
      hasLocal: hasLocal(account),
      key: requireKey,
      observer,
      tunnel: tunnelTo(tunnel, account, repository, requireKey),
      logger,
    });
    const one = {
      ...client,
      compute: withNames(id, client.compute),
      accountId: id,
      key,
      hasLocal: hasLocal(account),
    };
    clients.set(id, one);
    return one;
  }

  return {
    list: () => [thisMachine(engine.status), ...repository.list()],
    get,
    onChange(listener) {
      const stops = [engine.onStatus(listener), repository.onChange(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    compute(accountId) {
      const account = get(accountId);
      if (accountId === THIS_MACHINE) return local;
      if (clients.get(accountId)?.hasLocal !== hasLocal(account)) renew(accountId);
      return (clients.get(accountId) ?? addClient(account)).compute;
    },
    renew,
    dropKeys() {
      for (const one of [...clients.values(), ...renewed]) one.key.drop();
    },
    forget(accountId) {
      renew(accountId);
      for (const one of renewed) {
        if (one.accountId !== accountId) continue;
        renewed.delete(one);
        stopClient(one);
      }
    },
    async stop() {
      for (const accountId of [...clients.keys()]) renew(accountId);
      for (const one of renewed) stopClient(one);
      await Promise.all([outbound.stop(), tunnel.stop(), ...stopping]);
    },
  };
}
