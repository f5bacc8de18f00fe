/** Names of API keys: a key that gets its name from Hangar has one that no other key has. */

/** Characters of the longest name. */
export const KEY_NAME_CHARS = 100;

/**
 * The name for a new key, cut to `KEY_NAME_CHARS`: with the lowest number from 2 if another key has it already. "Code of
 * words", then "Code of words 2".
 */
export function freeKeyName(name: string, taken: readonly string[]): string {
  const plain = name.slice(0, KEY_NAME_CHARS);
  for (let number = 2, wanted = plain; ; number += 1) {
    if (!taken.includes(wanted)) return wanted;
    wanted = `${name.slice(0, KEY_NAME_CHARS - ` ${number}`.length)} ${number}`;
  }
}
