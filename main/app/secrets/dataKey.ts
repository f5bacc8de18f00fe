/**
 * The key with which the engine encrypts secrets that it must read again. It is stored with the other secrets, if that
 * is possible.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Secrets } from './secrets.ts';

const NAME = 'engine/data-key';
const KEY_BYTES = 32;

export interface DataKeys {
  /** 32 bytes in base64: the encryption key of the engine from its next start on. */
  dataKey: string;
  /** Earlier keys of this run. */
  olderDataKeys: string[];
  /** Whether later runs also have the data key. */
  dataKeyIsKept: boolean;
}

export interface DataKey {
  /** Waits until the store answers or reports a problem; never rejects. */
  load(): Promise<void>;
  /** The keys for an engine that starts now. */
  handOver(): DataKeys;
  /** Whether a later run can decrypt what the engine encrypts now. */
  outlivesRun(): boolean;
  /** Calls the listener when `outlivesRun` may have changed. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  stop(): Promise<void>;
}

const isKey = (text: string): boolean => Buffer.from(text, 'base64').length === KEY_BYTES;

export function createDataKey({
  secrets,
  logger,
}: {
  secrets: Pick<Secrets, 'state' | 'onState' | 'get' | 'set'>;
  logger: Logger;
}): DataKey {
  const listeners = new Set<() => void>();
  let dataKey = randomBytes(KEY_BYTES).toString('base64');
  let older: string[] = [];
  /** The data key in a permanent store; null while there is none. */
  let stored: string | null = null;
  let handedOver: string | null = null;
  let loading: Promise<void> | null = null;
  let lastState = '';

  async function load(): Promise<void> {
    const { kind } = secrets.state();
    if (kind === 'memory') {
      stored = null;
      return;
    }
    try {
      const value = await secrets.get(NAME);
      if (value === null || !isKey(value)) await secrets.set(NAME, dataKey);
      else if (value !== dataKey) {
        older = [...older, dataKey];
        dataKey = value;
      }
      stored = dataKey;
    } catch (thrown) {
      stored = null;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      logger.warn({ reason }, 'the data key of the engine is good for this run only');
    }
  }

  function again(): Promise<void> {
    return (loading ??= load().finally(() => {
      loading = null;
      for (const listener of listeners) listener();
    }));
  }

  // The store was changed or unlocked, or it answers at last.
  const unsubscribe = secrets.onState(({ kind, problem }) => {
    const now = `${kind} ${problem === null}`;
    if (now === lastState) return;
    lastState = now;
    if (problem === null) void again();
  });

  return {
    load: again,
    handOver() {
      handedOver = dataKey;
      return { dataKey, olderDataKeys: [...older], dataKeyIsKept: stored === dataKey };
    },
    outlivesRun: () => stored !== null && (handedOver === null || handedOver === stored),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      unsubscribe();
      await loading;
    },
  };
}
