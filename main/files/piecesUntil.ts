/** Pieces of a file that may stop coming. */

/**
 * Yields the pieces of `body` until the signal is aborted, also while it waits for the next one. Rejects with the reason of
 * the signal then. Passed pieces are not kept in memory.
 */
export async function* piecesUntil(
  signal: AbortSignal,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const pieces = body[Symbol.asyncIterator]();
  let fail: (reason: unknown) => void = () => undefined;
  const abort = (): void => fail(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    for (;;) {
      signal.throwIfAborted();
      // A race against one promise for all pieces would keep each of them until the end.
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        fail = reject;
        pieces.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
