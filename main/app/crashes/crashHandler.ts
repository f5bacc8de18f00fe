/** Reports errors of this process that nothing handled, without secrets. It replaces Node's own message. */
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { redact } from '../platform/redaction.ts';
import type { Crashes } from './crashes.ts';

interface CrashOptions {
  readonly crashes: Pick<Crashes, 'recordNow'>;
  /** Known secrets; others are found by their pattern. */
  readonly secrets: readonly string[];
  /** Called after the report was written. `message`: the error with its stack. */
  readonly onException: (message: string) => void;
  /** The same for a rejected promise. */
  readonly onRejection: (message: string) => void;
  readonly logger: Logger;
}

/** The first line of the error, as the end of a sentence. */
const summaryOf = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 300).replace(/\.$/, '');

/** Follows uncaught exceptions and unhandled rejections of this process. Returns a function that ends this. */
export function onCrash({ crashes, secrets, onException, onRejection, logger }: CrashOptions): () => void {
  function note(thrown: unknown, report: (message: string) => void): void {
    logger.fatal({ err: thrown }, 'an error that nothing handled');
    const error = redact(inspect(thrown), secrets);
    const cause = `Nothing handled this error: ${summaryOf(error)}.`;
    crashes.recordNow({ part: 'main', cause, error, exit: { code: null, signal: null } });
    report(error);
  }
  const exception = (thrown: unknown): void => note(thrown, onException);
  const rejection = (thrown: unknown): void => note(thrown, onRejection);
  process.on('uncaughtException', exception);
  // Electron only warns about these, and Node ends for them.
  process.on('unhandledRejection', rejection);
  return () => {
    process.removeListener('uncaughtException', exception);
    process.removeListener('unhandledRejection', rejection);
  };
}
