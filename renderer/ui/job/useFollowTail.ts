/** Keeps the end of a growing view in sight until the person scrolls up, and again once they scroll back down. */
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject, type WheelEvent } from 'react';

const NEAR_PX = 28;
const UP_KEYS = ['ArrowUp', 'PageUp', 'Home'];

export interface FollowTail<Element extends HTMLElement> {
  following: boolean;
  /** For the element that scrolls. */
  props: {
    ref: RefObject<Element | null>;
    onScroll: () => void;
    onWheel: (event: WheelEvent) => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
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

  // The wish to go up counts, not how far it got: a stream that grows with every frame would win against the wheel.
  const letGo = () => {
    if (view.current && view.current.scrollHeight > view.current.clientHeight) setFollowing(false);
  };

  const onScroll = () => {
    const element = view.current;
    if (!element) return;
    const moved = element.scrollTop - top.current;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    if (moved < 0 && !atEnd) setFollowing(false);
    if (moved > 0 && atEnd) setFollowing(true);
    top.current = element.scrollTop;
  };

  return {
    following,
    props: {
      ref: view,
      onScroll,
      onWheel: (event) => event.deltaY < 0 && letGo(),
      onKeyDown: (event) => UP_KEYS.includes(event.key) && letGo(),
    },
    toEnd: () => setFollowing(true),
  };
}
