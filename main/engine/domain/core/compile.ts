/**
 * Makes a function of source text that is written from a table of the code. The engine reads and writes rows of jobs a
 * hundred thousand times a second: a loop over the table costs three times as much as the code that a person would
 * write by hand.
 *
 * @param parameters their names
 * @param body statements, made of constants of the code alone: never of anything that a client, a file or a database says
 */
export function compile<F extends (...values: never[]) => unknown>(parameters: readonly string[], body: string): F {
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/consistent-type-assertions -- the text comes from a table of the code
  return new Function(...parameters, `'use strict'; ${body}`) as F;
}
