/** The key that the engine seals with what it must be able to use again: kept with the other secrets where that is possible. */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Secrets } from './secrets.ts';

const NAME = 'engine/data-key';
const KEY_BYTES = 32;

export interface DataKeys {
  /** 32 bytes, base64: what the engine seals with from its next start on. */
  dataKey: string;
  /** Those that it sealed with earlier in this run. */
  olderDataKeys: string[];
  /** Whether later runs have the data key as well. */
  dataKeyIsKept: boolean;
}

export interface DataKey {
  /** Waits no longer than the store takes to say that it cannot; never rejects. */
  load(): Promise<void>;
  /** For an engine that starts now. */
  handOver(): DataKeys;
  /** Whether what the engine seals now can be read after this run. */
  outlivesRun(): boolean;
  stop(): Promise<void>;
}

const isKey = (text: string): boolean => Buffer.from(text, 'base64').length === KEY_BYTES;

/** `onChange`: called when `outlivesRun` may have changed. */
export function createDataKey({
  secrets,
  logger,
  onChange,
}: {
  secrets: Pick<Secrets, 'state' | 'onState' | 'get' | 'set'>;
  logger: Logger;
  onChange: () => void;
}): DataKey {
  let dataKey = randomBytes(KEY_BYTES).toString('base64');
  let older: string[] = [];
  /** The data key in a store that outlives the run; null while there is none. */
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
      onChange();
    }));
  }

  // Moved elsewhere, unlocked, or answered at last.
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
    async stop() {
      unsubscribe();
      await loading;
    },
  };
}
