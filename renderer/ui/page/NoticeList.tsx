/** The notices at the edge of the page. */
import { useEffect } from 'react';
import { Notifications } from '@mantine/notifications';
import parts from '../theme/parts.module.css';

/**
 * Repeats for React each entry of the pointer into a notice that React ignores. React expects a `mouseout` from the
 * element that `mouseover` names as its related one. None comes where that element lost a child under the pointer, such
 * as a dialog that closes. Without an entry, the notice does not stay while a person reads it.
 */
function useMissedEntries(): void {
  useEffect(() => {
    let left: EventTarget | null = null;
    const onLeave = ({ target }: Event) => {
      left = target;
    };
    const onEnter = ({ target, relatedTarget }: MouseEvent) => {
      if (relatedTarget === null || relatedTarget === left) return;
      if (target instanceof Element && target.closest(`.${parts.notices}`) !== null) {
        target.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      }
    };
    document.addEventListener('mouseout', onLeave, true);
    document.addEventListener('mouseover', onEnter, true);
    return () => {
      document.removeEventListener('mouseout', onLeave, true);
      document.removeEventListener('mouseover', onEnter, true);
    };
  }, []);
}

/** Between the notices and the status bar. */
const GAP_PX = 10;

/** Tells the page how high the notices are: it ends above them, so that they cover nothing that a person can click. */
function useRoomForNotices(): void {
  useEffect(() => {
    const notices = document.querySelector<HTMLElement>(`.${parts.notices}[data-position='bottom-right']`);
    if (notices === null) return undefined;
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() => {
      const { offsetHeight } = notices;
      style.setProperty('--notices', `${offsetHeight === 0 ? 0 : offsetHeight + GAP_PX}px`);
    });
    sizes.observe(notices);
    return () => {
      sizes.disconnect();
      style.removeProperty('--notices');
    };
  }, []);
}

export default function NoticeList() {
  useMissedEntries();
  useRoomForNotices();
  return (
    <Notifications
      withinPortal={false}
      position="bottom-right"
      autoClose={8000}
      limit={4}
      className={parts.notices ?? ''}
    />
  );
}
