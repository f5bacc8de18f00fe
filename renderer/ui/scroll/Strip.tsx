/**
 * A row that scrolls sideways within itself if its content has no room. An end with more behind it fades and has an arrow,
 * which scrolls: for the pointer alone, because keys move through the content.
 */
import { useLayoutEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import styles from './strip.module.css';

/** The width of the arrow with its fade, as in the style, in CSS pixels. */
const FADE_PX = 40;
/** The part of the room that an arrow scrolls by. */
const STEP = 0.7;

interface StripProps {
  className?: string | undefined;
  /** Identifies what has `shows`. When it changes, and when the room changes, that is scrolled into sight. */
  current?: string;
  /** The selector of what is scrolled into sight. */
  shows?: string;
  children: ReactNode;
}

export function Strip({ className = '', current, shows, children }: StripProps) {
  const frame = useRef<HTMLDivElement>(null);
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [outer, element] = [frame.current, row.current];
    if (outer === null || element === null) return undefined;
    const fade = (): void => {
      outer.toggleAttribute('data-more-before', element.scrollLeft >= 1);
      outer.toggleAttribute('data-more-after', element.scrollWidth - element.clientWidth - element.scrollLeft >= 1);
    };
    // A wheel has one direction for most people.
    const turn = (event: WheelEvent): void => {
      if (event.deltaX !== 0 || event.ctrlKey || element.scrollWidth <= element.clientWidth) return;
      event.preventDefault();
      element.scrollLeft += event.deltaY;
    };
    const sizes = new ResizeObserver(fade);
    for (const one of [element, ...element.children]) sizes.observe(one);
    element.addEventListener('scroll', fade, { passive: true });
    element.addEventListener('wheel', turn, { passive: false });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', fade);
      element.removeEventListener('wheel', turn);
    };
  }, []);
  useLayoutEffect(() => {
    const element = row.current;
    if (element === null) return undefined;
    const sizes = new ResizeObserver(() => shows !== undefined && scrollTo(element, element.querySelector(shows)));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [current, shows]);
  const scroll = (direction: 1 | -1) => {
    const element = row.current;
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    element?.scrollBy({ left: direction * STEP * element.clientWidth, behavior: isCalm ? 'instant' : 'smooth' });
  };
  return (
    <div ref={frame} className={`${styles.frame} ${className}`}>
      <div ref={row} className={styles.strip}>
        <div className={styles.content}>{children}</div>
      </div>
      <button type="button" {...pointerOnly} data-side="before" onClick={() => scroll(-1)}>
        <ChevronLeft size={15} />
      </button>
      <button type="button" {...pointerOnly} data-side="after" onClick={() => scroll(1)}>
        <ChevronRight size={15} />
      </button>
    </div>
  );
}

/** The focus stays where it is. */
const pointerOnly = {
  className: styles.arrow,
  tabIndex: -1,
  'aria-hidden': true,
  onMouseDown: (event: MouseEvent) => event.preventDefault(),
} as const;

/** Scrolls the row alone, and no farther than needed to see an element beside the arrow. */
function scrollTo(row: Element, element: Element | null): void {
  if (element === null) return;
  const [room, { left, right }] = [row.getBoundingClientRect(), element.getBoundingClientRect()];
  if (left < room.left + FADE_PX) row.scrollLeft -= room.left + FADE_PX - left;
  else if (right > room.right - FADE_PX) row.scrollLeft += right - (room.right - FADE_PX);
}
