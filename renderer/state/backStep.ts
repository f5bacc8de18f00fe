/**
 * Escape goes back one step: it closes the dialog or menu on top, else it leaves a text field, else it takes the last
 * step that is registered here, such as closing what is open beside a list.
 */
import { useEffect, useEffectEvent, useMemo } from 'react';
import { isOfInputMethod } from '../ui/keyboard/inputMethod.ts';

const OVERLAYS = '[role=dialog], [role=menu], [role=listbox]';

const isShown = (overlays: string): boolean =>
  [...document.querySelectorAll(overlays)].some((overlay) => overlay.checkVisibility?.() ?? true);

/** Whether a dialog, a menu or a list of choices is open, which takes letters and Escape for itself. */
export const isCovered = (): boolean => isShown(OVERLAYS);

/** Whether something is open that belongs to another task than the page; the list of choices of a field does not. */
export const hasDialog = (): boolean => isShown('[role=dialog], [role=menu]');

interface Step {
  /** Grows with each step that a render opens: the page comes before what stands in it. */
  order: number;
  back: () => void;
}
const steps: Step[] = [];
let opened = 0;
const nextOrder = (): number => (opened += 1);
/** The state before any other listener has handled the current Escape, and perhaps closed the overlay. */
let wasCovered = false;

function noteOverlays(event: KeyboardEvent): void {
  if (event.key === 'Escape') wasCovered = isCovered();
}

const isInOverlay = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest(OVERLAYS) !== null;

/** A menu closes by an Escape in itself only, and it gets the focus a moment after it is shown. */
function passToMenu(event: KeyboardEvent): void {
  if (isInOverlay(event)) return;
  const menus = [...document.querySelectorAll('[role=menu]')].filter((menu) => menu.checkVisibility?.() ?? true);
  menus.at(-1)?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
}

function goBack(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || isOfInputMethod(event)) return;
  if (wasCovered) {
    passToMenu(event);
    return;
  }
  const { target } = event;
  if (target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName))) return;
  if (target instanceof HTMLInputElement) target.blur();
  else
    steps
      .toSorted((one, other) => one.order - other.order)
      .at(-1)
      ?.back();
}

// Registered before any dialog exists, so that it runs before the dialog's own listener on the same phase.
window.addEventListener('keydown', noteOverlays, { capture: true });
window.addEventListener('keydown', goBack);

/** While `isOpen`, Escape calls `back`, unless something opened later takes it first. */
export function useBackStep(isOpen: boolean, back: () => void): void {
  const step = useEffectEvent(back);
  // Effects of a part run before those of its page, so that they cannot tell which of the two is the inner one.
  const order = useMemo(() => (isOpen ? nextOrder() : null), [isOpen]);
  useEffect(() => {
    if (order === null) return undefined;
    const own: Step = { order, back: () => step() };
    steps.push(own);
    return () => void steps.splice(steps.indexOf(own), 1);
  }, [order]);
}

/** While `isOpen`, Escape outside every dialog and menu calls `close`. For what counts as such an overlay itself. */
export function useEscape(isOpen: boolean, close: () => void): void {
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isOfInputMethod(event)) return;
    if (!isInOverlay(event)) close();
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const listener = (event: KeyboardEvent): void => onEscape(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [isOpen]);
}
