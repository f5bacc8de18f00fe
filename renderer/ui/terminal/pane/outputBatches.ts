/** Output that comes fast is drawn less often: xterm reads a page of text in less time than it takes to draw it. */

/** Output that comes faster than `MOST_BYTES` in this time is held back until the time is over. */
const BATCH_MS = 50;
/** A program that draws a full screen 60 times a second writes less. */
const MOST_BYTES = 64 * 1024;

type Parsed = () => void;

export interface OutputBatches {
  /** Writes now, or with the next batch; `parsed` is called when xterm has read the bytes. */
  write(bytes: Uint8Array, parsed: Parsed): void;
  /** Writes what is held back, before something else changes the screen. */
  flush(): void;
  /** Drops what is held back. */
  dispose(): void;
}

/** The order of the bytes stays. A hidden page holds nothing back: browsers slow its timers down. */
export function createOutputBatches(
  writeNow: (bytes: Uint8Array, parsed: Parsed) => void,
  isHidden = () => document.hidden,
): OutputBatches {
  let waiting: [bytes: Uint8Array, parsed: Parsed][] = [];
  /** Bytes since the batch began. */
  let written = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  function flush(): void {
    const batch = waiting;
    waiting = [];
    for (const [bytes, parsed] of batch) writeNow(bytes, parsed);
  }

  function begin(): void {
    timer = setTimeout(() => {
      written = waiting.reduce((sum, [{ length }]) => sum + length, 0);
      flush();
      timer = null;
      if (written > 0) begin();
    }, BATCH_MS);
  }

  return {
    write(bytes, parsed) {
      waiting.push([bytes, parsed]);
      if (timer === null) {
        written = 0;
        begin();
      }
      if (written < MOST_BYTES || isHidden()) {
        written += bytes.length;
        flush();
      }
    },
    flush,
    dispose() {
      if (timer !== null) clearTimeout(timer);
      waiting = [];
    },
  };
}
