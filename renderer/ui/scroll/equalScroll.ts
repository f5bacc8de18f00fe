/** Outputs side by side that scroll together: the one that a person scrolls takes the others along. */
import { createContext } from 'react';

/** An output of the group. */
export interface ScrolledView {
  /** Whether it keeps to the end of its own stream. */
  isFollowing: () => boolean;
  /** `top`: pixels from its beginning. From then on it follows its stream only if that is its end. */
  scrollTo: (top: number) => void;
}

export interface ScrollGroup {
  /** Answers how to leave the group. */
  add: (element: Element, view: ScrolledView) => () => void;
}

/** Null for an output that scrolls alone. */
export const ScrollGroupContext = createContext<ScrollGroup | null>(null);
