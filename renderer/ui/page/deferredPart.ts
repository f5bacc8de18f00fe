/**
 * Parts of the page that are not needed to show it: menus, tooltips, notices. They are loaded once a person begins to use
 * the page, so that they are there when they are wanted, also when Hangar has ended by then.
 */
import { lazy, useEffect, useSyncExternalStore, type ComponentType, type LazyExoticComponent } from 'react';
import { loadModule } from '../primitives/lazyPart.ts';

type Loaded<P> = Promise<{ default: ComponentType<P> }>;

let isShown = false;
let isStarted = false;
const waiting = new Set<() => void>();
const listeners = new Set<() => void>();

/** The first sign that somebody uses the page. */
const USES = ['pointermove', 'pointerdown', 'keydown'] as const;
/** Deferred parts are loaded this long after the first page was shown, also while nobody uses it. */
const LATEST_MS = 10_000;

/** Loads all deferred parts once the page is used, or after LATEST_MS. Only the first call has an effect. */
function startDeferred(): void {
  if (isShown) return;
  isShown = true;
  const start = (): void => {
    clearTimeout(timer);
    for (const type of USES) removeEventListener(type, start, { capture: true });
    isStarted = true;
    for (const load of waiting) load();
    waiting.clear();
    for (const listener of listeners) listener();
  };
  const timer = setTimeout(start, LATEST_MS);
  for (const type of USES) addEventListener(type, start, { capture: true, passive: true });
}

/** Renders nothing; its effect runs once the page beside it, in the same Suspense, is shown. */
export function WhenShown(): null {
  useEffect(startDeferred, []);
  return null;
}

/** Whether the deferred parts are being loaded. */
export const useDeferredStarted = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isStarted,
  );

/** A component that shows nothing where it cannot be loaded; the page works without it. */
export function deferredPart<P>(load: () => Loaded<P>): LazyExoticComponent<ComponentType<P>> {
  let loading: Loaded<P> | undefined;
  const once = (): Loaded<P> => (loading ??= loadModule(load).catch(() => ({ default: () => null })));
  if (isStarted) void once();
  else waiting.add(() => void once());
  return lazy(once);
}
