/**
 * Whether a button of the pointer is held down. What a person does next must not move between the press and the release: the
 * click would miss what was pressed.
 */
import { useState, useSyncExternalStore } from 'react';

let isDown = false;
const listeners = new Set<() => void>();

function setDown(next: boolean): void {
  if (isDown === next) return;
  isDown = next;
  for (const listener of listeners) listener();
}

const press = (): void => setDown(true);
/** Ends the press now: for a handler of a click that needs the page as it is then. */
export const endPress = (): void => setDown(false);
const endPressSoon = (): void => void setTimeout(endPress);

const events = [
  ['pointerdown', press, { capture: true }],
  // Behind the handlers of the page. A checkbox that React draws again before them loses its click.
  ['click', endPress, {}],
  // A press that ends elsewhere has no click, and some clicks do not come to the window.
  ['pointerup', endPressSoon, { capture: true }],
  ['pointercancel', endPress, { capture: true }],
] as const;

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) for (const [name, handler, phase] of events) window.addEventListener(name, handler, phase);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    for (const [name, handler, phase] of events) window.removeEventListener(name, handler, phase);
    isDown = false;
  };
}

/** The value, which stays as it was while a button of the pointer is held down. */
export function useStillWhilePressed<Value>(value: Value): Value {
  const isPressed = useSyncExternalStore(subscribe, () => isDown);
  /** As it was at the press. */
  const [atPress, setAtPress] = useState<{ value: Value } | null>(null);
  if (isPressed && atPress === null) setAtPress({ value });
  if (!isPressed && atPress !== null) setAtPress(null);
  return isPressed && atPress !== null ? atPress.value : value;
}
