/**
 * Setup file of component specs: what jsdom lacks, and a clean page after each test, because all specs of a process
 * share its modules. Imported before any module of the page.
 */
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterEach, beforeAll } from 'vitest';
import type { StoreApi } from 'zustand';
import { connectPage, expectAllAnswered, returnApp } from './app.ts';
import { elementError } from './elementError.ts';

// Every part of the page has this size, so that virtual lists render rows. jsdom computes no layout.
const SIZE = { width: 800, height: 600 };

Object.defineProperties(HTMLElement.prototype, {
  offsetWidth: { configurable: true, get: () => SIZE.width },
  offsetHeight: { configurable: true, get: () => SIZE.height },
  clientWidth: { configurable: true, get: () => SIZE.width },
  clientHeight: { configurable: true, get: () => SIZE.height },
});
// As on this computer: there is a Clipboard API.
Object.defineProperty(window, 'isSecureContext', { configurable: true, value: true });
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.scrollTo = () => undefined;
Range.prototype.getClientRects = () => Object.assign([], { item: () => null });
Range.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 0, 0);

// Fields that grow with their text measure it again once a font has come.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });

window.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    matches: false,
    media,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

window.ResizeObserver = class {
  observe = (): void => undefined;
  unobserve = (): void => undefined;
  disconnect = (): void => undefined;
};

// For its warnings, React records a stack for each of the first 10,000 elements of each second, which takes up to a
// fifth of the time of a spec. Here the count is always above that limit.
Object.defineProperty(internalsOf(React), 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => Infinity,
  set: () => undefined,
});

// As long as `until` waits (../core/until.ts). A failure would print the whole page.
configure({ asyncUtilTimeout: 120_000, getElementError: elementError });

function internalsOf(react: object): object {
  const internals = Object.entries(react).find(([name]) => name.startsWith('__CLIENT_INTERNALS'))?.[1] as unknown;
  if (typeof internals !== 'object' || internals === null || !('recentlyCreatedOwnerStacks' in internals))
    throw new Error('This version of React counts the stacks of elements elsewhere.');
  return internals;
}

/** Sets the state that several pages share back to that of a page that was just opened. */
async function resetStores(): Promise<void> {
  const { useOverlays, palette } = await import('../../../renderer/state/overlays.ts');
  const { useRoute } = await import('../../../renderer/state/route.ts');
  const { useJobsFilter } = await import('../../../renderer/state/jobsFilter.ts');
  const { useUpdates } = await import('../../../renderer/client/updates.ts');
  const { useCrashes } = await import('../../../renderer/client/crashes.ts');
  const { useEngine } = await import('../../../renderer/client/engine.ts');
  const { useShelves } = await import('../../../renderer/client/saved/savedStore.ts');
  const { useTakeOver } = await import('../../../renderer/client/saved/takeOver.ts');
  const { forgetDrafts } = await import('../../../renderer/ui/form/formDrafts.ts');
  palette.close();
  forgetDrafts();
  history.replaceState(null, '', location.pathname);
  reset(useRoute);
  reset(useOverlays);
  reset(useJobsFilter);
  reset(useUpdates);
  reset(useCrashes);
  reset(useEngine);
  reset(useShelves);
  reset(useTakeOver);
}

function reset<State>(store: StoreApi<State>): void {
  store.setState(store.getInitialState(), true);
}

beforeAll(connectPage);

afterEach(async () => {
  cleanup();
  await returnApp();
  const { queryClient } = await import('../../../renderer/client/transport/orpc.ts');
  const { rereadSettings } = await import('../../../renderer/state/personalSetting.ts');
  const { notifications } = await import('@mantine/notifications');
  // Also the repeat of a query that failed, which waits a second.
  await queryClient.cancelQueries();
  queryClient.clear();
  notifications.clean();
  localStorage.clear();
  rereadSettings();
  sessionStorage.clear();
  await resetStores();
  await expectAllAnswered();
});
