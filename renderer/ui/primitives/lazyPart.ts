/** Parts of the page that are loaded when they are first shown. */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

const KEY = 'hangar.loadedAnewAt';
/** A part that still cannot be had so soon after the page was loaded anew is told of instead. */
const NOT_AGAIN_WITHIN_MS = 20_000;

/** The files of a part of the page cannot be had, also after the page was loaded anew. Its cause is what the browser says. */
export class PartLoadError extends Error {
  override readonly name = 'PartLoadError';
}

/**
 * Browsers drop what they load while the network changes, and never ask again for a file that they once could not have; a newer
 * version of Hangar may have taken the place of its files, too. Either way the page is loaded anew: its address, drafts and jobs stay.
 */
export function lazyPart<P>(load: () => Promise<{ default: ComponentType<P> }>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    try {
      return await load();
    } catch (error) {
      if (!mayLoadAnew()) throw new PartLoadError('A part of the page could not be loaded.', { cause: error });
      location.reload();
      return new Promise<never>(() => undefined);
    }
  });
}

function mayLoadAnew(): boolean {
  try {
    const lastAt = Number(sessionStorage.getItem(KEY));
    if (Date.now() - lastAt < NOT_AGAIN_WITHIN_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
    return true;
  } catch {
    // Without storage nobody could tell whether it was tried before.
    return false;
  }
}
