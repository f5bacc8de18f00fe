/** Splits a stream into lines: with whole characters, clean text, and a limit for their length. */
import { StringDecoder } from 'node:string_decoder';
import { limits } from '#contract/core/limits.ts';

export interface LineSplitter {
  push(data: Buffer): void;
  /** Ends the stream: the rest becomes the last line. */
  end(): void;
}

// Colours and other control sequences of terminals, and bytes that are no text.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const CONTROLS = new RegExp(CONTROL.source, 'g');

/** The text without control sequences of terminals and without bytes that are no text. */
export const clean = (text: string): string =>
  CONTROL.test(text) ? text.replace(ESCAPES, '').replace(CONTROLS, '') : text;

/** `take` gets each line, and the number of characters that were cut from its end. */
export function createLineSplitter(take: (line: string, leftOut: number) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let leftOut = 0;

  function give(line: string): void {
    const cut = leftOut;
    leftOut = 0;
    if (!line.includes('\r')) {
      take(clean(line), cut);
      return;
    }
    // A progress bar overwrites its own line. Each state is a line; the moves of the cursor are not.
    const states = line.split('\r').filter((state) => state !== '');
    if (states.length === 0) take('', cut);
    else states.forEach((state, index) => take(clean(state), index === states.length - 1 ? cut : 0));
  }

  function keep(piece: string): void {
    const room = limits.log.assembledLength - rest.length;
    if (piece.length <= room) rest += piece;
    else {
      rest += piece.slice(0, Math.max(0, room));
      leftOut += piece.length - Math.max(0, room);
    }
  }

  function add(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      keep(text.slice(start, end));
      const line = rest;
      rest = '';
      give(line.endsWith('\r') ? line.slice(0, -1) : line);
      start = end + 1;
    }
    keep(text.slice(start));
    // A carriage return at the very end may be the first half of a line end.
    const back = rest.lastIndexOf('\r', rest.length - 2);
    if (back > 0 && leftOut === 0) {
      const states = rest.slice(0, back);
      rest = rest.slice(back + 1);
      give(states);
    }
  }

  return {
    push: (data) => add(decoder.write(data)),
    end() {
      add(decoder.end());
      const line = rest;
      rest = '';
      if (line !== '') give(line.endsWith('\r') ? line.slice(0, -1) : line);
    },
  };
}
