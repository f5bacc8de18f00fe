/** Scrolls an element into view when it appears: the answer to a click may come below the edge of what scrolls. */

/** To be given as `ref`. What is in view already does not move. */
export const intoView = (element: Element | null): void => element?.scrollIntoView({ block: 'nearest' });
