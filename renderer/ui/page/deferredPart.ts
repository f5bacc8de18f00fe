/**
 * Parts of the page that are not needed to show it: menus, tooltips, notices. They are loaded once a person begins to
 * use the page, so that they are there when they are wanted, also when Hangar has ended by then.
 */
import { createElement, useEffect, useSyncExternalStore, type Attributes, type ReactNode } from 'react';
import { isServed, loadModule, partOf, reloadOnce, type LoadPart } from '../primitives/lazyPart.ts';

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

/** Renders nothing; its effect runs once the page beside it is shown. */
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

/** Time between two attempts while nobody serves the page. The banner says meanwhile that Hangar cannot be reached. */
const AWAY_MS = 3000;

/** What of a deferred part matters when its files are gone. */
interface DeferredOptions {
  /** Whether the page reloads for it, as for a page. A tooltip is not worth that. Default false. */
  isNeeded?: boolean;
}

/**
 * A component that is loaded once the page is used. While nobody serves the page, it appears as soon as somebody does.
 * Where its files are gone, as after an update, it shows nothing, or the page reloads if the part is needed.
 */
export function deferredPart<P extends object>(
  load: LoadPart<P>,
  { isNeeded = false }: DeferredOptions = {},
): (props: P & Attributes) => ReactNode {
  let early: ReturnType<LoadPart<P>> | null = null;
  const loadEarly = (): void => {
    early = loadModule(load);
    // Where that fails, it is loaded again where it is shown.
    early.then(part.load, () => (early = null));
  };

  const part = partOf<P>(async () => {
    for (;;) {
      try {
        return await (early ?? loadModule(load));
      } catch {
        // The page works without the part, or reloads; while nobody answers it is loaded again.
        if (await isServed()) return isNeeded && reloadOnce() ? new Promise(() => undefined) : { default: () => null };
        await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
      }
    }
  });
  if (isStarted) loadEarly();
  else waiting.add(loadEarly);

  return function DeferredPart(props) {
    const Part = part.use();
    return Part === null ? null : createElement(Part, props);
  };
}
