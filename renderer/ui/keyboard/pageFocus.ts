/**
 * Where the keyboard focus goes with a page: to the part that it marks, such as its list or its editor, to the tab that
 * the address names, or to its heading. A field, a dialog or a menu that a person is at keeps the focus.
 */

/** Spread over the part of a page that takes the focus when a person comes to the page. */
export const takesPageFocus = { 'data-page-focus': '' } as const;

const pageElement = (): HTMLElement | null => document.getElementById('page');
const OVERLAYS = '[role=dialog], [role=menu], [role=listbox]';
const FIELDS = 'input, textarea, select, [contenteditable=true]';

/** Ends the wait for a dialog that has the focus; null while there is none. */
let stopWaiting: (() => void) | null = null;

/** Whether no element has the focus that a person chose, so that a page may take it. */
export function isFocusFree(): boolean {
  const { activeElement: active } = document;
  if (active === null || active === document.body || active === pageElement()) return true;
  // The heading has it only because nothing better was there when the page came.
  return active.matches('#page h1');
}

/**
 * Puts the focus into the page; `namesTab` when its address names a tab. Without a part that can take it, nothing
 * happens.
 */
export function focusPage(namesTab = false): void {
  const page = pageElement();
  const place = (selector: string) => page?.querySelector<HTMLElement>(selector);
  const tab = namesTab ? place('[role=tab][aria-selected=true]') : null;
  (tab ?? place('[data-page-focus]') ?? place('h1') ?? page)?.focus({ preventScroll: true });
}

/**
 * Called when a page or another part of it is shown. `isOtherPage`: the link that led here, in the sidebar or the title
 * bar, gives the focus up, and so does a dialog when it closes; else only a focus that nothing has is taken.
 */
export function arriveAtPage({ isOtherPage, namesTab }: { isOtherPage: boolean; namesTab: boolean }): void {
  // A page that completes its own address meanwhile, as Run does, is still the page that the person goes to.
  const isOther = isOtherPage || stopWaiting !== null;
  stopWaiting?.();
  const { activeElement: active } = document;
  // It was the tab of the part that was shown before, as when the browser goes back.
  const isAtOtherTab = namesTab && active?.closest('[role=tablist]')?.querySelector('[aria-selected=true]') !== active;
  if (isFocusFree() || (isAtOtherTab && active?.matches('#page [role=tab]') === true)) focusPage(namesTab);
  else if (!isOther || active === null) return;
  else if (active.closest(OVERLAYS)) waitForDialog(() => arriveAtPage({ isOtherPage: isOther, namesTab }));
  else if (!active.closest('#page') && !active.matches(FIELDS)) focusPage(namesTab);
}

/** The element that opened the dialog may get the focus back before the dialog has faded out and is removed. */
function waitForDialog(closed: () => void): void {
  const dialog = document.activeElement?.closest(OVERLAYS);
  const removals = new MutationObserver(() => dialog?.isConnected !== true && closed());
  removals.observe(document.body, { childList: true, subtree: true });
  stopWaiting = () => {
    removals.disconnect();
    stopWaiting = null;
  };
}
