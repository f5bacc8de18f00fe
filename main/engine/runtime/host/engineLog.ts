/** The engine's log: JSON lines on standard error, where its host keeps them, without secrets. */
import { pino } from 'pino';
import type { EngineStart } from '#contract/local/engine.ts';
import type { Logger } from '../../domain/core/ports.ts';

/** Fields that may hold a secret; none is logged on purpose. */
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
    { level: logLevel, base: { part: 'engine' }, redact: { paths: redacted, censor: '[secret]' } },
    destination,
  );
  return {
    logger,
    stop: async () => destination.flushSync(),
  };
}
