/** Small values that outlive a reload, kept in this browser or window. */

const PREFIX = 'hangar.';

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    // Storage may be switched off; the page then simply forgets.
    return null;
  }
}

/** Answers whether it was kept: storage may be full or switched off. */
export function writeStored(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
    return true;
  } catch {
    // A quota error is an answer here, not a fault: the caller decides whether the person must know.
    return false;
  }
}
