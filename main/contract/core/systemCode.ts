/** Codes of errors of the operating system or of a library. */

/** The code of a thrown value, such as `ENOENT` or `ECONNREFUSED`; undefined if it has none. */
export const systemCode = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/** For a `catch` that expects errors with these codes: throws every other thrown value again. */
export function expectCode(thrown: unknown, ...codes: readonly string[]): void {
  if (!codes.includes(systemCode(thrown) ?? '')) throw thrown;
}

/** Whether an operation failed because its file, or a folder above it, does not exist. */
export const isMissingFile = (thrown: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemCode(thrown) ?? '');
