/**
 * Keeps the element with the focus in sight: a dialog gives its first field the focus without scrolling, and a window that
 * gets lower, as by zoom, covers the field that a person types in.
 */

const FOCUSED = 'input, textarea, select, button, a, [role=tab]';
/** Room between the element and the edge of what scrolls, in CSS pixels: that of the label above and the note below. */
const ABOVE_PX = 44;
const BELOW_PX = 12;

function scrollerOf(element: Element): Element | null {
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    const { overflowY } = getComputedStyle(parent);
    if (/auto|scroll/u.test(overflowY) && parent.scrollHeight > parent.clientHeight) return parent;
  }
  return null;
}

/** Scrolls up and down only, in each part that scrolls: what slides in from the side is not where it will be. */
function reveal(element: Element): void {
  for (let scroller = scrollerOf(element); scroller !== null; scroller = scrollerOf(scroller)) {
    const [room, { top, bottom }] = [scroller.getBoundingClientRect(), element.getBoundingClientRect()];
    const below = bottom - (room.top + scroller.clientHeight);
    if (top < room.top) scroller.scrollTop -= room.top - top + ABOVE_PX;
    else if (below > 0) scroller.scrollTop += Math.min(below + BELOW_PX, Math.max(0, top - room.top - ABOVE_PX));
  }
}

/** Called once. What the pointer is pressed on stays in its place until it is released. */
export function keepFocusInView(): void {
  let isPressed = false;
  const revealFocused = (): void => {
    const { activeElement } = document;
    if (activeElement?.matches(FOCUSED) === true) reveal(activeElement);
  };
  const press = (): void => void (isPressed = true);
  const release = (): void => void (isPressed = false);
  window.addEventListener('pointerdown', press, { capture: true });
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, release, { capture: true });
  window.addEventListener('focusin', () => isPressed || requestAnimationFrame(revealFocused));
  window.addEventListener('resize', () => requestAnimationFrame(revealFocused));
}
