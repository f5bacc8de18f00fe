/** Gives the memory of bytes back as soon as they are no longer needed. */

/**
 * Frees the memory of `bytes`, which are empty from then on. Only their owner may call it, after the last use of them. Bytes
 * that share their memory with others stay as they are.
 *
 * V8 collects all garbage after each 64 MB of buffers. For a large file that takes more time than to pass its bytes on.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
