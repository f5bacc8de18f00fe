/** Parts of the page that are loaded on first use. */
import {
  createElement,
  useEffect,
  useSyncExternalStore,
  type Attributes,
  type ComponentType,
  type ReactNode,
} from 'react';
import { t } from '../../language/text.ts';

const KEY = 'hangar.loadedAnewAt';
/** If a part fails to load within this time after a reload, the page shows the error instead of another reload. */
const NOT_AGAIN_WITHIN_MS = 20_000;

/** The files of a part cannot be loaded, also after a reload. Its cause is the error of the browser. */
export class PartLoadError extends Error {
  override readonly name = 'PartLoadError';
}

/** Pauses before the second and the third attempt to load a part. */
const PAUSES_MS = [100, 1000];
/** Vite's words for a style sheet that did not load. It counts such a file as loaded, so a second attempt lacks it. */
const NO_STYLES = /^Unable to preload CSS/;

/**
 * Loads a module, and tries again if that fails: browsers abort every load when the network of the computer changes,
 * for example when a container starts.
 */
export async function loadModule<T>(load: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await load();
    } catch (error) {
      if (error instanceof Error && NO_STYLES.test(error.message)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return load();
}

export type LoadPart<P> = () => Promise<{ default: ComponentType<P> }>;

/**
 * A component that is loaded when it is shown first. Until then, its placeholder stands there. It needs no Suspense:
 * React waits 300 ms before it replaces a fallback, however soon the part is there.
 */
export function lazyPart<P extends object>(
  load: LoadPart<P>,
  placeholder: ReactNode | ((props: P) => ReactNode) = null,
): (props: P & Attributes) => ReactNode {
  const part = loadablePart(load);
  return function LazyPart(props) {
    const Part = part.use();
    if (Part !== null) return createElement(Part, props);
    return typeof placeholder === 'function' ? placeholder(props) : placeholder;
  };
}

/**
 * Where a part cannot be loaded, a newer version of Hangar may have replaced its files, or the browser repeats the
 * first failure. In both cases the page reloads: its address, drafts and jobs stay. While nobody serves the page it
 * does not: the browser would replace all that is on screen by its own error.
 */
async function loadPart<P>(load: LoadPart<P>): Promise<{ default: ComponentType<P> }> {
  try {
    return await loadModule(load);
  } catch (error) {
    if ((await isServed()) && reloadOnce()) return new Promise<never>(() => undefined);
    throw new PartLoadError(t`A part of the page could not be loaded.`, { cause: error });
  }
}

/** A part of the page that its place can load before it shows it. */
export interface LoadablePart<P> {
  /** Begins to load the part; later calls have no effect. */
  load: () => void;
  /**
   * A hook: the part, or null while it is loaded, which the first use begins. @throws {PartLoadError} if it cannot be
   * loaded.
   */
  use: () => ComponentType<P> | null;
}

/** A part as `lazyPart` loads it, for a place that shows something else of its own meanwhile. */
export const loadablePart = <P>(load: LoadPart<P>): LoadablePart<P> => partOf(() => loadPart(load));

/** A part that is loaded once, by the first use. What `load` rejects with is thrown where the part is shown. */
export function partOf<P>(load: LoadPart<P>): LoadablePart<P> {
  let part: ComponentType<P> | null = null;
  let failure: Error | null = null;
  let isStarted = false;
  const listeners = new Set<() => void>();

  async function start(): Promise<void> {
    try {
      part = (await load()).default;
    } catch (error) {
      failure = error instanceof Error ? error : new PartLoadError(String(error));
    }
    for (const listener of listeners) listener();
  }
  const loadOnce = (): void => {
    if (isStarted) return;
    isStarted = true;
    void start();
  };
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const read = (): unknown => failure ?? part;

  return {
    load: loadOnce,
    use() {
      useSyncExternalStore(subscribe, read);
      useEffect(loadOnce, [loadOnce]);
      if (failure !== null) throw failure;
      return part;
    },
  };
}

/** A part that is loaded already. */
export const loadedPart = <P>(part: ComponentType<P>): LoadablePart<P> => ({ load: () => undefined, use: () => part });

/** Whether anybody answers at the address of the page, with whatever status. */
export async function isServed(): Promise<boolean> {
  try {
    await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    // The only rejection is that no answer came.
    return false;
  }
}

/** Reloads the page. False: it was reloaded a moment ago, which did not help. */
export function reloadOnce(): boolean {
  if (!mayLoadAnew()) return false;
  location.reload();
  return true;
}

function mayLoadAnew(): boolean {
  try {
    const lastAt = Number(sessionStorage.getItem(KEY));
    if (Date.now() - lastAt < NOT_AGAIN_WITHIN_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
    return true;
  } catch {
    // Without storage, an earlier try cannot be noted.
    return false;
  }
}
