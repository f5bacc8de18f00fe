/** What keys of Hangar and of the public service look like, wherever they stand in a text. */

/** What stands for a key, and for whatever else is secret, wherever it is not told. */
export const MASK = '•••';

const PREFIX = 'rpa_';
/** Behind an escape of JSON or of an address, as in `\nrpa_…` and `%20rpa_…`, a word begins as well. */
const BEGINS = String.raw`(?<=\b|\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})`;
const shape = (leastLength: number): RegExp => new RegExp(`${BEGINS}${PREFIX}[A-Za-z0-9_-]{${leastLength},}`, 'g');

const anyKey = shape(6);
/** As long as those that are made; `rpa_` also begins names of what programs call robotic process automation. */
const madeKey = shape(24);

/** For texts of our own: rather too much is masked than too little. */
export const hideKeys = (text: string): string => (text.includes(PREFIX) ? text.replace(anyKey, MASK) : text);

/** For texts of others, which are to stay as they are; most hold no key, and cost one look. */
export const hideMadeKeys = (text: string): string => (text.includes(PREFIX) ? text.replace(madeKey, MASK) : text);
