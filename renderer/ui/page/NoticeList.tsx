/** The notices at the edge of the page. */
import { Notifications } from '@mantine/notifications';
import parts from '../theme/parts.module.css';

export default function NoticeList() {
  return <Notifications position="bottom-right" autoClose={8000} limit={4} className={parts.notices ?? ''} />;
}
