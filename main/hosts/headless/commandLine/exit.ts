/** How the program ends when it cannot start: its exit code, and a line for the person. */
import type { Logger } from 'pino';
import { EngineStartError } from '../../../app/compose.ts';
import type { Flags } from './flags.ts';
import { portTaken } from './portHolder.ts';

export const EXIT_FAILED = 1;
export const EXIT_USAGE_OR_PORT = 2;
export const EXIT_DATA_IN_USE = 3;

/** Ends the program with a line for the person. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: number;
  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function toExit(thrown: unknown, flags: Flags): Exit {
  if (thrown instanceof Exit) return thrown;
  if (thrown instanceof EngineStartError) {
    if (thrown.failure === 'port-taken') {
      return new Exit(EXIT_USAGE_OR_PORT, portTaken(flags.port, '--port'), { cause: thrown });
    }
    return new Exit(thrown.failure === 'data-in-use' ? EXIT_DATA_IN_USE : EXIT_FAILED, thrown.message, {
      cause: thrown,
    });
  }
  if (thrown instanceof Error && 'code' in thrown && 'syscall' in thrown && thrown.syscall === 'listen') {
    return thrown.code === 'EADDRINUSE'
      ? new Exit(EXIT_USAGE_OR_PORT, portTaken(flags.uiPort ?? 0, '--ui-port'), { cause: thrown })
      : new Exit(EXIT_USAGE_OR_PORT, `Cannot listen on ${flags.host}:${flags.uiPort} (${String(thrown.code)}).`, {
          cause: thrown,
        });
  }
  return new Exit(EXIT_FAILED, thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
}

/**
 * Logs why Hangar could not start, and answers it. A person reads the sentence alone; a program that reads lines of
 * JSON gets the error with its stack.
 */
export function logged(exit: Exit, { json }: Flags, logger: Logger): Exit {
  const level = exit.code === EXIT_FAILED || json ? 'error' : 'info';
  logger[level]({ err: exit.cause ?? exit }, 'Hangar could not start');
  return exit;
}
