/** What an app says when it falls over a fault of its own: without secrets, in the log and to the person, in place of Node's own words. */
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { redact } from './redaction.ts';

/** `told`: called with what is wrong, without secrets. Rejections that nobody handles come here as well. */
export function onCrash(logger: Logger, secrets: readonly string[], told: (what: string) => void): void {
  process.on('uncaughtException', (thrown: unknown) => {
    logger.fatal({ err: thrown }, 'a fault that nobody handled');
    told(redact(inspect(thrown), secrets));
  });
}
