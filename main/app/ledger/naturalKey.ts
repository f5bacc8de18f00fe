/** Texts in the order of a person: numbers by their value, words without regard to case and accents. */

/** Digits of a whole number; longer ones are compared by their first digits. */
const DIGITS = 20;
/** A sign counts only where no word stands before it: "2024-11" has none. */
const NUMBER = /(?<![\d.])((?<=^|[\s:,[("])-)?(\d+)(\.\d+)?/g;

/** Before the point of a fraction, so that 2 comes before 2.5. */
const NUMBER_END = '\u0001';

/** Larger numbers have smaller complements. */
const complement = (digits: string): string => digits.replace(/\d/g, (digit) => String(9 - Number(digit)));

/** The text that takes the place of another one where both are compared character by character. */
export function naturalKey(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(NUMBER, (_, sign: string | undefined, whole: string, fraction: string | undefined) => {
      const magnitude = whole.slice(0, DIGITS).padStart(DIGITS, '0') + (fraction ?? '');
      return sign === undefined ? `${magnitude}${NUMBER_END}` : `-${complement(magnitude)}~`;
    });
}
