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
// At the click itself, so that its own handlers see what is true then. A press that ends without a click has none.
const release = (): void => setDown(false);
const releaseSoon = (): void => void setTimeout(release);

const events = [
  ['pointerdown', press],
  ['click', release],
  ['pointerup', releaseSoon],
  ['pointercancel', release],
] as const;

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) for (const [name, handler] of events) window.addEventListener(name, handler, true);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    for (const [name, handler] of events) window.removeEventListener(name, handler, true);
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
