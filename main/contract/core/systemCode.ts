/** Codes of errors of the operating system or of a library. */

/** The code of a thrown value, such as `ENOENT` or `ECONNREFUSED`; undefined if it has none. */
export const systemCode = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/** For a `catch` that expects errors with these codes: throws every other thrown value again. */
export function expectCode(thrown: unknown, ...codes: readonly string[]): void {
  if (!codes.includes(systemCode(thrown) ?? '')) throw thrown;
}

const readProblems: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read it. Change its permissions or its owner',
  EPERM: 'this user may not read it. Change its permissions or its owner',
  EISDIR: 'it is a folder. Move that elsewhere',
  ELOOP: 'it is a link that leads back to itself. Remove that',
  EIO: 'the disk reports an error. Check the disk',
};

/** Why a file that exists could not be read, and what to do, without a full stop. Null where only its content is wrong. */
export const readProblem = (thrown: unknown): string | null => readProblems[systemCode(thrown) ?? ''] ?? null;

/** Whether an operation failed because its file, or a folder above it, does not exist. */
export const isMissingFile = (thrown: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemCode(thrown) ?? '');
