/** Writes to the clipboard what is still being read or drawn. */

/**
 * Call it on a click, before anything is awaited: Safari lets a page write only during the click, so the browser gets
 * the promise. Returns whether the bytes are in the clipboard; a browser may refuse. Never rejects.
 */
export async function writeLater(mime: string, bytes: Promise<Blob>): Promise<boolean> {
  // A browser without the Clipboard API does not look at the promise, which may reject.
  bytes.catch(() => undefined);
  try {
    // oxlint-disable-next-line no-restricted-properties -- nothing else takes pictures and promises
    await navigator.clipboard.write([new ClipboardItem({ [mime]: bytes })]);
    return true;
  } catch {
    // No Clipboard API, no permission, or no bytes: the caller decides what to do.
    return false;
  }
}
