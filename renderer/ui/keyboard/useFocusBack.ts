/** Where the keyboard focus is after a dialog: at the element that had it, or at the page if that is gone. */
import { useEffect, useRef } from 'react';
import { focusPage } from './pageFocus.ts';

/** After the dialog has put the focus back itself, which it does 10 ms after it closes. */
const AFTER_DIALOG_MS = 20;

/**
 * For a dialog or sheet. Mantine puts the focus back only if the dialog was mounted before it opened and the element is
 * still there; otherwise the next Tab would start at the top of the window, or behind another open dialog.
 */
export function useFocusBack(opened: boolean): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (!opened) return undefined;
    clearTimeout(timer.current);
    const before = document.activeElement;
    return () => {
      const atClose = document.activeElement;
      timer.current = setTimeout(() => {
        const { activeElement } = document;
        const isLost = activeElement === null || activeElement === document.body;
        // The dialog fades out with the focus in it.
        const isLeft = activeElement === atClose && activeElement?.closest('[role=dialog]') != null;
        if (!isLost && !(isLeft && activeElement !== before)) return;
        const hadFocus = before instanceof HTMLElement && before !== document.body && before.isConnected;
        if (hadFocus) before.focus({ preventScroll: true });
        else focusPage();
      }, AFTER_DIALOG_MS);
    };
  }, [opened]);
}
