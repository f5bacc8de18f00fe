/** The notifications of a browser, while a page of Hangar is open. Mounted once, if the person wants them. */
import { useFocusLock, useIsShower } from './pageLocks.ts';
import { useNoticeFeeds } from './useNoticeFeeds.ts';

export default function NoticeFeeds() {
  useFocusLock();
  const isShower = useIsShower();
  return isShower && <Feeds />;
}

function Feeds() {
  useNoticeFeeds();
  return null;
}
