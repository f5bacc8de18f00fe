/** Sends typed text to a terminal in the order in which it was typed. */
import { limits } from '#contract/core/limits.ts';

export interface InputQueue {
  /** Adds typed text. It waits while the queue is closed. */
  add(text: string): void;
  /** Open: waiting text is sent. Closed: typed text waits until the queue is opened again. */
  setOpen(isOpen: boolean): void;
}

/** `send` takes pieces of at most `limits.terminal.inputLength` characters, one after the other. A piece that fails is lost. */
export function createInputQueue(send: (text: string) => Promise<unknown>): InputQueue {
  let waiting = '';
  let isOpen = false;
  let isSending = false;

  async function drain(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (waiting !== '' && isOpen) {
      const piece = waiting.slice(0, limits.terminal.inputLength);
      waiting = waiting.slice(piece.length);
      await send(piece).catch(() => undefined);
    }
    isSending = false;
  }

  return {
    add(text) {
      waiting += text;
      void drain();
    },
    setOpen(next) {
      isOpen = next;
      void drain();
    },
  };
}
