/** The commands within a sentence of advice, so that they can be copied. */

/** What stands between backticks or quotation marks and begins with the name of a program. */
export const commandsIn = (advice: string): string[] =>
  [...advice.matchAll(/[`"]((?:sudo )?[a-z][\w.-]* [^`"\n]{2,200})[`"]/g)].map(([, command]) => command ?? '');
