/** Shows a notice as a notification of the browser. */
import type { Notice } from '#contract/notices/notices.ts';
import { navigate } from '../../state/route.ts';
import { parseRoute } from '../../state/routePath.ts';
import { targetAccount } from '../../state/selection.ts';
import { makeNotification, wantsNotice } from './browserNotices.ts';
import { hasFocusedPage } from './pageLocks.ts';

function open({ address, accountId }: Notice): void {
  if (accountId !== undefined) targetAccount.set(accountId);
  navigate(parseRoute(address));
}

/** Does nothing if the person does not want its kind, or looks at a page of Hangar. A click opens what it is about. */
export async function showNotice(notice: Notice): Promise<void> {
  const { kind, title, body, address } = notice;
  if (!wantsNotice(kind) || (await hasFocusedPage())) return;
  // The system shows one notification for each tag, which is that of the subject.
  const notification = makeNotification(title, { body, tag: `${kind} ${address}` });
  notification?.addEventListener('click', () => {
    window.focus();
    open(notice);
    notification.close();
  });
}
