/**
 * A large body on its way to the thread: pieces that wait in a channel, of which the thread gets the other end. Whatever lies on the
 * heap of the event loop counts there, also outside of it: of 20 MB in one piece it would mark all of its heap, for every body.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { LargeBody } from '../../domain/jobs/payload/largeBodies.ts';

const PIECE_BYTES = 256 * 1024;
/** Parts of at least this size go as they are; smaller ones are joined first. */
const GOES_ALONE_BYTES = 16 * 1024;

export class BodyPieces implements LargeBody {
  length = 0;
  readonly #channel = new MessageChannel();
  #piece: Uint8Array<ArrayBuffer> | null = null;
  #filled = 0;

  add(part: Uint8Array): void {
    this.length += part.length;
    const { buffer } = part;
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === part.length;
    if (isWhole && part.length >= GOES_ALONE_BYTES) {
      if (this.#piece) this.#send(this.#piece);
      this.#channel.port1.postMessage(part, [buffer]);
      return;
    }
    for (let at = 0; at < part.length;) {
      this.#piece ??= new Uint8Array(Buffer.allocUnsafeSlow(PIECE_BYTES).buffer);
      const taken = part.subarray(at, at + PIECE_BYTES - this.#filled);
      this.#piece.set(taken, this.#filled);
      this.#filled += taken.length;
      at += taken.length;
      if (this.#filled === PIECE_BYTES) this.#send(this.#piece);
    }
    // Left to the garbage collector, every few large bodies would call for a collection.
    if (isWhole) buffer.transfer(0);
  }

  /** The end for the thread, which is to be transferred to it. */
  handOver(): MessagePort {
    if (this.#piece) this.#send(this.#piece);
    return this.#channel.port2;
  }

  drop(): void {
    this.#piece?.buffer.transfer(0);
    this.#piece = null;
    this.#channel.port2.close();
  }

  #send(piece: Uint8Array<ArrayBuffer>): void {
    this.#channel.port1.postMessage(piece.subarray(0, this.#filled), [piece.buffer]);
    this.#piece = null;
    this.#filled = 0;
  }
}
