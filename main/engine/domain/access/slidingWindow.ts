/** The moments of the requests in the last window, exact to the millisecond. Memory: 8 bytes for each, four times that at most. */

export interface RequestWindow {
  /** How many are in the window that ends now. `now`: milliseconds on the clock that never runs backwards. */
  count(now: number): number;
  add(now: number): void;
  /** Milliseconds until fewer than `limit` of those that were counted are left in the window. */
  freeInMs(limit: number, now: number): number;
  bytes(): number;
}

const SMALLEST = 16;

export function createRequestWindow(windowMs: number): RequestWindow {
  // A ring, doubled when it is full and halved while three quarters are empty: it follows the traffic, which the limit bounds.
  let ring = new Float64Array(SMALLEST);
  let head = 0;
  let size = 0;

  function resize(length: number): void {
    const next = new Float64Array(length);
    for (let index = 0; index < size; index++) next[index] = ring[(head + index) & (ring.length - 1)]!;
    ring = next;
    head = 0;
  }

  return {
    count(now) {
      const mask = ring.length - 1;
      const left = now - windowMs;
      if (size > 0 && ring[(head + size - 1) & mask]! <= left) size = 0;
      while (size > 0 && ring[head]! <= left) {
        head = (head + 1) & mask;
        size--;
      }
      if (ring.length > SMALLEST && size * 4 < ring.length) resize(ring.length / 2);
      return size;
    },
    add(now) {
      if (size === ring.length) resize(size * 2);
      ring[(head + size) & (ring.length - 1)] = now;
      size++;
    },
    freeInMs(limit, now) {
      const over = size - limit;
      return over < 0 ? 0 : ring[(head + over) & (ring.length - 1)]! + windowMs - now;
    },
    bytes: () => ring.byteLength,
  };
}
