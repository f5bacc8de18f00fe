/** One progress line on standard error; nothing if that is no terminal. */
import { cut, oneLine } from './text.ts';

const ERASE = '\r\u001B[2K';
const EVERY_MS = 1000;
const DEFAULT_WIDTH = 80;

export interface Progress {
  /** `text` is called each second. */
  show(text: () => string): void;
  /** Clears the line, so that other output can be printed; it returns within a second. */
  clear(): void;
  /** Clears the line permanently. */
  stop(): void;
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined, stop: () => undefined };
  let current: (() => string) | null = null;
  let isShown = false;
  let isStopped = false;
  const clear = (): void => {
    if (isShown) stream.write(ERASE);
    isShown = false;
  };
  const draw = (): void => {
    if (current === null) return;
    stream.write(ERASE + cut(oneLine(current()), (stream.columns || DEFAULT_WIDTH) - 1));
    isShown = true;
  };
  const timer = setInterval(draw, EVERY_MS);
  timer.unref();
  return {
    show(text) {
      if (isStopped) return;
      current = text;
      draw();
    },
    clear,
    stop() {
      clearInterval(timer);
      isStopped = true;
      current = null;
      clear();
    },
  };
}
