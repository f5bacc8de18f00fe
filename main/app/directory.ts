/** The accounts and how each is reached: account id to ComputeApi. The machine Hangar runs on is one of them. */
import { accountCapabilities, THIS_MACHINE, type Account, type EngineStatus } from '#contract/account.ts';
import { AppError } from '#contract/errors.ts';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { createComputeApi, type ComputeApi } from './compute/capabilities.ts';
import { createOutbound } from './compute/outbound.ts';
import type { EngineProcess } from './engineProcess.ts';

export type { ComputeApi } from './compute/capabilities.ts';

export interface Directory {
  list(): Account[];
  get(accountId: string): Account;
  /** Calls the listener at each change of any account; answers how to stop that. */
  onChange(listener: () => void): () => void;
  /** Rejects with NOT_FOUND for an account that is not there. */
  compute(accountId: string): ComputeApi;
  stop(): Promise<void>;
}

export interface DirectoryOptions {
  engine: Pick<EngineProcess, 'status' | 'onStatus'>;
  runKey: string;
  clock: Clock;
  logger: Logger;
}

/** How long a request waits for an engine that is being started, before it says that it cannot be reached. */
const ENGINE_WAIT_MS = 10_000;
const ENGINE_NAME = 'the engine on this machine';

const notReady = ({ reason }: EngineStatus): AppError =>
  new AppError('UNAVAILABLE', `Cannot reach ${ENGINE_NAME}. ${reason ?? 'It is not running.'}`);

export function createDirectory({ engine, runKey, clock, logger }: DirectoryOptions): Directory {
  /** Waits out a restart, so that neither a submit nor a stream reader notices a short one. */
  function engineAddress(signal: AbortSignal | undefined): Promise<string> {
    return new Promise((resolve, reject) => {
      const settle = (status: EngineStatus): boolean => {
        if (status.state === 'ready' && status.address !== null) resolve(status.address);
        else if (status.state === 'failed' || status.state === 'stopped') reject(notReady(status));
        else return false;
        return true;
      };
      if (settle(engine.status)) return;
      const unsubscribe = engine.onStatus((status) => {
        if (settle(status)) done();
      });
      const cancel = clock.after(ENGINE_WAIT_MS, () => {
        reject(notReady(engine.status));
        done();
      });
      const aborted = (): void => {
        reject(new Error('The request was given up.', { cause: signal?.reason }));
        done();
      };
      signal?.addEventListener('abort', aborted);
      const done = (): void => {
        unsubscribe();
        cancel();
        signal?.removeEventListener('abort', aborted);
      };
      if (signal?.aborted) aborted();
    });
  }

  const outbound = createOutbound({
    name: ENGINE_NAME,
    logger,
    target: async (signal) => ({ address: await engineAddress(signal), key: runKey }),
  });
  const thisMachine = createComputeApi(outbound, { hasLocal: true });

  function here(): Account {
    const { address, state, reason, nextTryAt } = engine.status;
    return {
      ...{ id: THIS_MACHINE, name: 'This computer', kind: 'engine', dialect: 'v1' },
      ...{ address, addresses: { jobs: address, management: address, graphql: address } },
      ...{ capabilities: [...accountCapabilities], lacks: [], probedAt: null, key: null, lastUsedAt: null },
      ...(state === 'ready'
        ? { state: 'ok', reason: null, nextTryAt: null }
        : { state: 'offline', reason: reason ?? 'Its engine is not running.', nextTryAt }),
    };
  }

  const list = (): Account[] => [here()];

  function get(accountId: string): Account {
    const account = list().find(({ id }) => id === accountId);
    if (account) return account;
    throw new AppError('NOT_FOUND', `There is no account "${accountId}".`);
  }

  return {
    list,
    get,
    onChange: (listener) => engine.onStatus(listener),
    compute(accountId) {
      get(accountId);
      return thisMachine;
    },
    stop: () => outbound.stop(),
  };
}
