/**
 * The escape sequences of a remote terminal, as in SSH: at the beginning of a line, ~. leaves it and ~~ types a tilde.
 */

const ESCAPE = '~';
const LEAVE = '.';

export interface Escape {
  /** The text to forward, and whether the person leaves; text after that is dropped. */
  take(typed: string): { text: string; isLeaving: boolean };
}

export function createEscape(): Escape {
  let isAtLineStart = true;
  let isEscaped = false;
  return {
    take(typed) {
      let text = '';
      for (const character of typed) {
        if (isEscaped) {
          isEscaped = false;
          if (character === LEAVE) return { text, isLeaving: true };
          text += character === ESCAPE ? ESCAPE : ESCAPE + character;
        } else if (isAtLineStart && character === ESCAPE) {
          isEscaped = true;
          continue;
        } else text += character;
        isAtLineStart = character === '\r' || character === '\n';
      }
      return { text, isLeaving: false };
    },
  };
}
