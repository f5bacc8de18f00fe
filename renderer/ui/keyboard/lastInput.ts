/**
 * Whether the person's last input was the pointer, as `data-pointer` of the root element. A browser shows the ring of
 * focus at an element that gets the focus from one that had the ring, so a menu would have it although the mouse has
 * opened it.
 */
export function followLastInput(): void {
  const { dataset } = document.documentElement;
  const usePointer = (): void => void (dataset['pointer'] = '');
  const useKeys = (): void => void delete dataset['pointer'];
  // Before any part of the page hears of it and moves the focus.
  window.addEventListener('pointerdown', usePointer, { capture: true });
  window.addEventListener('keydown', useKeys, { capture: true });
}
