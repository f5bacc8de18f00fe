/** The newest chunks of a job, taken from at one end as they come in at the other. */
import { requireValue } from '#contract/core/requireValue.ts';

export interface ChunkRow {
  /** Of the store's append table. */
  row: number;
  text: string;
}

/** So many places may be empty before the others are moved: an array that is shifted moves all of them each time. */
const EMPTY_PLACES = 512;

export class ChunkTail {
  #places: (ChunkRow | null)[] = [];
  #oldest = 0;
  /** Characters of all of them together. */
  #textLength = 0;

  get length(): number {
    return this.#places.length - this.#oldest;
  }

  get textLength(): number {
    return this.#textLength;
  }

  /** The chunk at this place, which must be there; 0 is the oldest. */
  at(index: number): ChunkRow {
    return requireValue(this.#places[this.#oldest + index], 'the chunk at this place');
  }

  push(row: number, text: string): void {
    this.#places.push({ row, text });
    this.#textLength += text.length;
  }

  /** Removes the oldest, which must be there. */
  shift(): void {
    const places = this.#places;
    this.#textLength -= this.at(0).text.length;
    places[this.#oldest++] = null;
    if (this.#oldest < places.length && (this.#oldest < EMPTY_PLACES || this.#oldest * 2 < places.length)) return;
    this.#places = places.slice(this.#oldest);
    this.#oldest = 0;
  }
}
