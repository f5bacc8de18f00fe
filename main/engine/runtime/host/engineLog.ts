/** The log of the engine: JSON lines without secrets on standard error, which the host stores. */
import { pino } from 'pino';
import type { EngineStart } from '#contract/local/engine.ts';
import type { Logger } from '../../domain/core/ports.ts';

/** Fields that may contain a secret. This is a safeguard: no code logs them on purpose. */
const redacted = [
  'key',
  'runKey',
  'dataKey',
  'olderDataKeys',
  'authorization',
  's3Config',
  '*.key',
  '*.authorization',
  '*.s3Config',
];

export interface EngineLog {
  logger: Logger;
  stop(): Promise<void>;
}

export function createEngineLog({ logLevel }: Pick<EngineStart, 'logLevel'>): EngineLog {
  const destination = pino.destination({ dest: 2, sync: true });
  const logger = pino(
    {
      level: logLevel,
      base: { part: 'engine' },
      // As in the log of the app.
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: redacted, censor: '[secret]' },
    },
    destination,
  );
  return {
    logger,
    stop: async () => destination.flushSync(),
  };
}
