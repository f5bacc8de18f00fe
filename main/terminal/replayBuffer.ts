/** The newest output of a terminal, by its place in all that was ever put out. */

export interface ReplayBuffer {
  /** Place of the first byte that is kept, and the one after the last. */
  readonly start: number;
  readonly end: number;
  add(bytes: Uint8Array): void;
  /** The buffered bytes from this offset on. */
  from(place: number): Buffer[];
}

const BLOCK_BYTES = 64 * 1024;

/** Keeps `mostBytes` at least, and a block more at most. */
export function createReplayBuffer(mostBytes: number): ReplayBuffer {
  /** All full but the last. */
  const blocks: Buffer[] = [];
  let start = 0;
  let end = 0;

  return {
    get start() {
      return start;
    },
    get end() {
      return end;
    },
    add(bytes) {
      for (let at = 0; at < bytes.length;) {
        const filled = (end - start) % BLOCK_BYTES;
        let block = filled === 0 ? undefined : blocks.at(-1);
        if (!block) blocks.push((block = Buffer.allocUnsafeSlow(BLOCK_BYTES)));
        const piece = bytes.subarray(at, at + BLOCK_BYTES - filled);
        block.set(piece, filled);
        at += piece.length;
        end += piece.length;
      }
      while (end - start - BLOCK_BYTES >= mostBytes) {
        blocks.shift();
        start += BLOCK_BYTES;
      }
    },
    from(place) {
      const pieces: Buffer[] = [];
      blocks.forEach((block, index) => {
        const first = start + index * BLOCK_BYTES;
        const piece = block.subarray(Math.max(0, place - first), Math.min(BLOCK_BYTES, end - first));
        if (place < first + BLOCK_BYTES && piece.length > 0) pieces.push(piece);
      });
      return pieces;
    },
  };
}
