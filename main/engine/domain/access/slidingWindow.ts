/**
 * The times of the requests in the last window, exact to the millisecond. Memory: 8 bytes per request, at most four
 * times that.
 */

export interface RequestWindow {
  /** The number of requests in the window that ends now. `now`: monotonic milliseconds. */
  count(now: number): number;
  add(now: number): void;
  /** Milliseconds until the window contains fewer than `limit` of the counted requests. */
  freeInMs(limit: number, now: number): number;
  bytes(): number;
}

const SMALLEST = 16;

export function createRequestWindow(windowMs: number): RequestWindow {
  // A ring buffer. It doubles when it is full and halves when three quarters are empty. The rate limit bounds its size.
  let ring = new Float64Array(SMALLEST);
  let head = 0;
  let size = 0;

  // The mask keeps the index inside of the ring, so the read always returns a number.
  const at = (index: number): number => ring[(head + index) & (ring.length - 1)] ?? 0;

  function resize(length: number): void {
    const next = new Float64Array(length);
    for (let index = 0; index < size; index++) next[index] = at(index);
    ring = next;
    head = 0;
  }

  return {
    count(now) {
      const begin = now - windowMs;
      if (size > 0 && at(size - 1) <= begin) size = 0;
      while (size > 0 && at(0) <= begin) {
        head = (head + 1) & (ring.length - 1);
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
      return over < 0 ? 0 : at(over) + windowMs - now;
    },
    bytes: () => ring.byteLength,
  };
}
