/** Exit codes of the command line, and the error that ends it with a sentence for a person. */
import { ORPCError } from '@orpc/client';
import type { ErrorCode } from '#contract/core/errors.ts';

export const exitCodes = {
  done: 0,
  /** The job or the operation failed. */
  failed: 1,
  usage: 2,
  notRunning: 3,
  notFound: 4,
  /** The account was not reachable, or it refused. */
  account: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/**
 * Ends the command. `message` says for a person what was wrong and what to do; it is empty if that was already printed.
 */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  /** One of `exitCodes`, or the exit code of a Pod's shell. */
  readonly exitCode: number;
  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export const usage = (message: string): CommandFailure => new CommandFailure(exitCodes.usage, message);
export const notFound = (message: string): CommandFailure => new CommandFailure(exitCodes.notFound, message);

/** Exit codes for error codes of the app; every other code is a failed operation. */
const codeOf: Partial<Record<ErrorCode, ExitCode>> = {
  NOT_FOUND: exitCodes.notFound,
  UNAUTHORIZED: exitCodes.account,
  FORBIDDEN: exitCodes.account,
  TOO_MANY_REQUESTS: exitCodes.account,
  UPSTREAM: exitCodes.account,
  UNAVAILABLE: exitCodes.account,
  UPSTREAM_TIMEOUT: exitCodes.account,
  SECRETS_UNAVAILABLE: exitCodes.account,
};

const isCode = (code: string): code is keyof typeof codeOf => code in codeOf;

/** The invalid field and its fault, if the app refused the shape of an input. */
function issuesIn(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('issues' in data) || !Array.isArray(data.issues)) return null;
  const texts = data.issues.map((issue: { path?: unknown[]; message?: string }) =>
    [(issue.path ?? []).join('.'), issue.message ?? ''].filter((text) => text !== '').join(': '),
  );
  return texts.join('; ');
}

/** Turns any thrown value into the failure that ends the command. */
export function toFailure(thrown: unknown): CommandFailure {
  if (thrown instanceof CommandFailure) return thrown;
  if (thrown instanceof ORPCError) {
    const code = String(thrown.code);
    const issues = issuesIn(thrown.data);
    if (issues !== null && code === 'BAD_REQUEST')
      return new CommandFailure(exitCodes.usage, issues, { cause: thrown });
    const exitCode = isCode(code) ? codeOf[code] : undefined;
    return new CommandFailure(exitCode ?? exitCodes.failed, thrown.message, { cause: thrown });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CommandFailure(exitCodes.failed, message, { cause: thrown });
}

/** The error code of an answer of the app; null for any other value. */
export const answerCode = (thrown: unknown): string | null =>
  thrown instanceof ORPCError ? String(thrown.code) : null;
