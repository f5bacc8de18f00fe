/** Reports an uncaught exception without secrets, to the log and to the person, in place of Node's own message. */
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { redact } from './redaction.ts';

/** Calls `report` with the error as text, without secrets. Unhandled rejections come here as well. */
export function onCrash(logger: Logger, secrets: readonly string[], report: (message: string) => void): void {
  process.on('uncaughtException', (thrown: unknown) => {
    logger.fatal({ err: thrown }, 'a fault that nobody handled');
    report(redact(inspect(thrown), secrets));
  });
}
