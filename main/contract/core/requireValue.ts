/** A check for values whose type allows `undefined` or `null` while the code around them rules it out. */

/**
 * Returns `value`.
 *
 * @param name What the value is, for the message: "the lease of the job".
 * @throws {Error} When the value is `undefined` or `null`: a fault of this program, never of its input.
 */
export function requireValue<Value>(value: Value | null | undefined, name: string): Value {
  if (value === undefined || value === null) throw new Error(`There is no value for ${name}.`);
  return value;
}
