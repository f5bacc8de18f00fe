/** A row that scrolls sideways within itself if its content has no room. An end fades while there is more behind it. */
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './strip.module.css';

/** The width of the fade, as in the style, in CSS pixels. */
const FADE_PX = 28;

interface StripProps {
  className?: string | undefined;
  /** Identifies what has `shows`. When it changes, and when the room changes, that is scrolled into sight. */
  current?: string;
  /** The selector of what is scrolled into sight. */
  shows?: string;
  children: ReactNode;
}

export function Strip({ className = '', current, shows, children }: StripProps) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = row.current;
    if (element === null) return undefined;
    const fade = (): void => {
      element.toggleAttribute('data-more-before', element.scrollLeft >= 1);
      element.toggleAttribute('data-more-after', element.scrollWidth - element.clientWidth - element.scrollLeft >= 1);
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
  return (
    <div ref={row} className={`${styles.strip} ${className}`}>
      <div className={styles.content}>{children}</div>
    </div>
  );
}

/** Scrolls the row alone, and no farther than needed to see an element beside the fade. */
function scrollTo(row: Element, element: Element | null): void {
  if (element === null) return;
  const [room, { left, right }] = [row.getBoundingClientRect(), element.getBoundingClientRect()];
  if (left < room.left + FADE_PX) row.scrollLeft -= room.left + FADE_PX - left;
  else if (right > room.right - FADE_PX) row.scrollLeft += right - (room.right - FADE_PX);
}
