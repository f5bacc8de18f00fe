/** Reads the codes of operating system errors. */

/** The code of an error, such as `ENOENT`; null if it has none. */
export const errorCode = (thrown: unknown): string | null =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
