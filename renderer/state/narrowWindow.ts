/** Whether the panes of a page have room beside each other. Without the panes themselves, which Home does not load. */

/** A common screen at 200 % zoom has this width. */
export const NARROW = '(max-width: 820px)';

/** Whether the panes of a page stand beside each other now. */
export const areBeside = (): boolean => !window.matchMedia(NARROW).matches;
