/**
 * A large body on its way to the body thread, as pieces in a message channel. The pieces do not stay in the memory of the event
 * loop: 20 MB there would trigger a garbage collection of the whole heap for every body.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { LargeBody } from '../../domain/jobs/payload/largeBodies.ts';

const PIECE_BYTES = 256 * 1024;
/** Parts of at least this many bytes are sent directly; smaller ones are collected first. */
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
      const chunk = part.subarray(at, at + PIECE_BYTES - this.#filled);
      this.#piece.set(chunk, this.#filled);
      this.#filled += chunk.length;
      at += chunk.length;
      if (this.#filled === PIECE_BYTES) this.#send(this.#piece);
    }
    // Frees the memory now. Otherwise every few large bodies would trigger a garbage collection.
    if (isWhole) buffer.transfer(0);
  }

  /** Sends the rest and returns the thread's port, which the caller must transfer. */
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
