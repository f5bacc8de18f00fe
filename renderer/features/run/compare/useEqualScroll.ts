/** Makes the columns of a comparison scroll together. */
import { useState, type SyntheticEvent } from 'react';
import type { ScrolledView, ScrollGroup } from '../../../ui/scroll/equalScroll.ts';

/** `group`: for the outputs of the columns. `handlers`: for the element around the columns, each of which has `data-column`. */
export function useEqualScroll() {
  const [scroll] = useState(createEqualScroll);
  return scroll;
}

/** The output that a person scrolls takes the others along. One that follows its own stream does not. */
function createEqualScroll() {
  const views = new Map<Element, ScrolledView>();
  let active: Element | null = null;
  const columnOf = (event: SyntheticEvent): Element | null =>
    event.target instanceof Element ? event.target.closest('[data-column]') : null;
  const choose = (event: SyntheticEvent) => {
    active = columnOf(event);
  };
  const take = (event: SyntheticEvent) => {
    const { target } = event;
    if (!(target instanceof Element) || columnOf(event) !== active) return;
    const view = views.get(target);
    if (view === undefined || view.isFollowing()) return;
    for (const [element, other] of views) if (element !== target) other.scrollTo(target.scrollTop);
  };
  const group: ScrollGroup = {
    add(element, view) {
      views.set(element, view);
      return () => void views.delete(element);
    },
  };
  return {
    group,
    handlers: {
      onWheelCapture: choose,
      onPointerDownCapture: choose,
      onKeyDownCapture: choose,
      onTouchStartCapture: choose,
      // A scroll does not bubble.
      onScrollCapture: take,
    },
  };
}
