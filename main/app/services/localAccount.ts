/** The account of this machine: the current address of its engine, and the wait for an engine that is starting. */
import { accountCapabilities, THIS_MACHINE, type Account, type EngineStatus } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { EngineProcess } from '../engine/engineProcess.ts';

type WatchedEngine = Pick<EngineProcess, 'status' | 'onStatus'>;

/** How long a request waits for an engine that is starting, before it reports that the engine is not reachable. */
const ENGINE_WAIT_MS = 10_000;
export const ENGINE_NAME = 'the engine on this machine';

export function thisMachine({ address, state, reason, nextTryAt }: EngineStatus): Account {
  return {
    id: THIS_MACHINE,
    name: 'This computer',
    kind: 'engine',
    dialect: 'v1',
    address,
    addresses: { jobs: address, management: address, graphql: address },
    capabilities: [...accountCapabilities],
    lacks: [],
    probedAt: null,
    key: null,
    lastUsedAt: null,
    ...(state === 'ready'
      ? { state: 'ok', reason: null, nextTryAt: null }
      : { state: 'offline', reason: reason ?? 'Its engine is not running.', nextTryAt }),
  };
}

const notReady = ({ reason }: EngineStatus): AppError =>
  new AppError('UNAVAILABLE', `Cannot reach ${ENGINE_NAME}. ${reason ?? 'It is not running.'}`);

/** Waits for a restart, so that submits and stream readers do not notice a short one. */
export function engineAddress(engine: WatchedEngine, clock: Clock, signal: AbortSignal | undefined): Promise<string> {
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
