/** Keeps the end of a growing view in sight until the person scrolls up, and again once they scroll back down. */
import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
  type WheelEvent,
} from 'react';

const NEAR_PX = 28;
const UP_KEYS = ['ArrowUp', 'PageUp', 'Home'];

export interface FollowTail<Element extends HTMLElement> {
  following: boolean;
  /** For the element that scrolls. */
  props: {
    ref: RefObject<Element | null>;
    onScroll: () => void;
    onWheel: (event: WheelEvent) => void;
    onPointerDown: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
  toEnd: () => void;
  /** For a view that another one takes along. */
  isFollowing: () => boolean;
  scrollTo: (top: number) => void;
}

/**
 * `length` is anything that changes when the view grows. `grows`: false for a view that is complete, which opens at its
 * top.
 */
export function useFollowTail<Element extends HTMLElement>(length: unknown, grows = true): FollowTail<Element> {
  const view = useRef<Element>(null);
  const [following, showFollowing] = useState(true);
  // A chunk may be laid out before the state has changed, and would scroll the view once more.
  const follows = useRef(true);
  const setFollowing = useCallback((next: boolean) => {
    follows.current = next;
    showFollowing(next);
  }, []);
  const top = useRef(0);
  /** Where the view was scrolled to here, until the event of that has come; null otherwise. */
  const ownTop = useRef<number | null>(null);

  /** Stops watching the last part. */
  const settle = useRef<() => void>(undefined);

  useLayoutEffect(() => {
    const element = view.current;
    if (!grows || !element) return;
    const follow = () => {
      if (!follows.current) return;
      const before = element.scrollTop;
      element.scrollTop = element.scrollHeight;
      // Its event comes later, perhaps behind that of a wheel. It must not count as a person who is back at the end.
      top.current = element.scrollTop;
      if (top.current !== before) ownTop.current = top.current;
    };
    follow();
    // The last part still grows when its picture is loaded or its code arrives.
    const last = element.lastElementChild;
    if (!last) return;
    const grown = new ResizeObserver(follow);
    grown.observe(last);
    settle.current = () => grown.disconnect();
    return settle.current;
  }, [grows, following, length]);

  // The wish to go up counts, not how far it got: a stream that grows with every frame would win against the wheel.
  const stopFollowing = () => {
    if (view.current && view.current.scrollHeight > view.current.clientHeight) setFollowing(false);
  };

  const onScroll = () => {
    const element = view.current;
    if (!element) return;
    const moved = element.scrollTop - top.current;
    top.current = element.scrollTop;
    if (top.current === ownTop.current) {
      ownTop.current = null;
      return;
    }
    const atEnd = isAtEnd(element);
    if (moved < 0 && !atEnd) setFollowing(false);
    if (moved > 0 && atEnd) setFollowing(true);
  };

  const isFollowing = useCallback(() => grows && follows.current, [grows]);
  const scrollTo = useCallback(
    (to: number) => {
      const element = view.current;
      if (!element) return;
      element.scrollTop = to;
      top.current = element.scrollTop;
      setFollowing(isAtEnd(element));
    },
    [setFollowing],
  );

  return {
    following,
    props: {
      ref: view,
      onScroll,
      onWheel: (event) => event.deltaY < 0 && stopFollowing(),
      // What a person unfolds grows without moving the view.
      onPointerDown: () => settle.current?.(),
      onKeyDown: (event) => {
        settle.current?.();
        if (UP_KEYS.includes(event.key)) stopFollowing();
      },
    },
    toEnd: () => setFollowing(true),
    isFollowing,
    scrollTo,
  };
}

const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: Element): boolean =>
  scrollHeight - scrollTop - clientHeight < NEAR_PX;
