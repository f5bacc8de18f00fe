/** Patterns that find keys of Hangar and of the public service in any text. */

/** Replaces a key, or another secret, wherever it must not appear. */
export const MASK = '•••';

const PREFIX = 'rpa_';
/** A word also begins after an escape of JSON or of a URL, as in `\nrpa_…` and `%20rpa_…`. */
const BEGINS = String.raw`(?<=\b|\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})`;
const shape = (leastLength: number): RegExp => new RegExp(`${BEGINS}${PREFIX}[A-Za-z0-9_-]{${leastLength},}`, 'g');

const anyKey = shape(6);
/** The length of generated keys. A shorter text is no key: `rpa_` also begins names of robotic process automation. */
const madeKey = shape(24);

/** Masks keys in texts of Hangar itself. It rather masks too much than too little. */
export const hideKeys = (text: string): string => (text.includes(PREFIX) ? text.replace(anyKey, MASK) : text);

/** Masks keys in texts of others, which must not change otherwise. Most texts hold no key, and cost one scan. */
export const hideMadeKeys = (text: string): string => (text.includes(PREFIX) ? text.replace(madeKey, MASK) : text);
