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

export default function NoticeList() {
  useMissedEntries();
  return <Notifications position="bottom-right" autoClose={8000} limit={4} className={parts.notices ?? ''} />;
}
