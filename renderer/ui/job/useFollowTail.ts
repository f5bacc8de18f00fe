/** Keeps the end of a growing view in sight until the person scrolls up, and again once they scroll back down. */
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

const NEAR_PX = 28;

export interface FollowTail<Element extends HTMLElement> {
  view: RefObject<Element | null>;
  following: boolean;
  /** For the element that scrolls. */
  onScroll: () => void;
  toEnd: () => void;
}

/** `length` is anything that changes when the view grows. */
export function useFollowTail<Element extends HTMLElement>(length: unknown): FollowTail<Element> {
  const view = useRef<Element>(null);
  const [following, setFollowing] = useState(true);
  const top = useRef(0);

  useLayoutEffect(() => {
    if (following && view.current) view.current.scrollTop = view.current.scrollHeight;
  }, [following, length]);

  const onScroll = () => {
    const element = view.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    // Growing content moves the end away without the person doing anything: only a move up lets go.
    if (atEnd) setFollowing(true);
    else if (element.scrollTop < top.current) setFollowing(false);
    top.current = element.scrollTop;
  };
  return { view, following, onScroll, toEnd: () => setFollowing(true) };
}
