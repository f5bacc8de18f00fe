/** The flags of a benchmark: what is wrong with them, and how it is used. */

/**
 * Answers what `read` makes of the arguments of this process. Where `read` throws, the process ends with 2, the message
 * and `usage`; with `--help` it ends with 0 and `usage`, before anything is measured.
 */
export function readFlags<T>(usage: string, read: () => T): T {
  if (process.argv.includes('--help')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

/** The goals that `--only` names, in capitals; all of `known` without it. Throws for one that does not exist. */
export function goalsOf(only: string | undefined, known: readonly string[]): readonly string[] {
  const named = only?.toUpperCase().split(',') ?? known;
  for (const goal of named) {
    if (!known.includes(goal)) throw new Error(`--only takes ${known.join(', ')}; it was given ${goal}.`);
  }
  return named;
}

/** The number of a flag, or `otherwise` without it. Throws where it is no number from `min` to `max`. */
export function numberOf(
  flag: string,
  text: string | undefined,
  { otherwise, min, max }: { otherwise: number; min: number; max: number },
): number {
  const value = text === undefined ? otherwise : Number(text);
  if (value >= min && value <= max) return value;
  throw new Error(`${flag} takes a number from ${min} to ${max}; it was given ${text}.`);
}
