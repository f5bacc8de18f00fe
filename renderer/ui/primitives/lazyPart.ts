/** Parts of the page that are loaded on first use. */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { t } from '../../language/text.ts';

const KEY = 'hangar.loadedAnewAt';
/** If a part fails to load within this time after a reload, the page shows the error instead of another reload. */
const NOT_AGAIN_WITHIN_MS = 20_000;

/** The files of a part cannot be loaded, also after a reload. Its cause is the error of the browser. */
export class PartLoadError extends Error {
  override readonly name = 'PartLoadError';
}

/**
 * Browsers abort loads when the network changes, and never retry a failed module. Also, a newer version of Hangar may
 * have replaced its files. In both cases the page reloads: its address, drafts and jobs stay. While nobody serves the
 * page it does not: the browser would replace all that is on screen by its own error.
 */
export function lazyPart<P>(load: () => Promise<{ default: ComponentType<P> }>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    try {
      return await load();
    } catch (error) {
      const canReload = (await isServed()) && mayLoadAnew();
      if (!canReload) throw new PartLoadError(t`A part of the page could not be loaded.`, { cause: error });
      location.reload();
      return new Promise<never>(() => undefined);
    }
  });
}

/** Whether anybody answers at the address of the page, with whatever status. */
async function isServed(): Promise<boolean> {
  try {
    await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    // The only rejection is that no answer came.
    return false;
  }
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
