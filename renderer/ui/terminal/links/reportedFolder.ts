/** Reads the folder that a shell reports at its prompt (OSC 7). */

/** `address`: such as `file://host/a%20b`. Null if it is not the address of a folder. */
export function folderOfReport(address: string): string | null {
  try {
    const url = new URL(address);
    return url.protocol === 'file:' ? decodeURIComponent(url.pathname) : null;
  } catch {
    // It is no address, or its path is not UTF-8.
    return null;
  }
}
