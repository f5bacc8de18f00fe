/**
 * Which of several open pages of a browser shows a notice, and whether one of them has the focus. Each is a lock of the
 * browser, which also ends with its page.
 */
import { useEffect, useState } from 'react';

/** Held by the page that shows the notices. The other ones wait for it. */
const SHOWER = 'hangar.notices';
/** Held by the page that has the focus. */
const FOCUS = 'hangar.focus';

/** Holds a lock until the signal is aborted; waits for it as long as needed. Never rejects. */
async function hold(name: string, signal: AbortSignal, onHeld: () => void = () => undefined): Promise<void> {
  try {
    await navigator.locks.request(name, { signal }, async () => {
      if (signal.aborted) return;
      onHeld();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    });
  } catch {
    // The only rejection is that the signal was aborted before the lock was held.
  }
}

/** Whether this page is the one that shows the notices. When it closes, another one takes over. */
export function useIsShower(): boolean {
  const [isShower, setShower] = useState(false);
  useEffect(() => {
    const life = new AbortController();
    void hold(SHOWER, life.signal, () => setShower(true));
    return () => life.abort();
  }, []);
  return isShower;
}

/** Lets the other pages of this browser know while this page has the focus. */
export function useFocusLock(): void {
  useEffect(() => {
    let focus = new AbortController();
    const focusChanged = (): void => {
      focus.abort();
      focus = new AbortController();
      if (document.hasFocus()) void hold(FOCUS, focus.signal);
    };
    window.addEventListener('focus', focusChanged);
    window.addEventListener('blur', focusChanged);
    focusChanged();
    return () => {
      focus.abort();
      window.removeEventListener('focus', focusChanged);
      window.removeEventListener('blur', focusChanged);
    };
  }, []);
}

/** Whether a page of this browser that shows notifications has the focus. */
export async function hasFocusedPage(): Promise<boolean> {
  if (document.hasFocus()) return true;
  const locks = await navigator.locks.query();
  return locks.held?.some(({ name }) => name === FOCUS) === true;
}
