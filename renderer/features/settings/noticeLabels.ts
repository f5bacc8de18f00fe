/** What each kind of notification is about, as its switch says it. */
import type { NotificationKind } from '#contract/app/notices/notificationKinds.ts';
import { t } from '../../language/text.ts';

export const noticeLabels: Record<NotificationKind, string> = {
  'job-ended': t`A job that ran for more than 30 s ends`,
  'job-failed': t`A job fails`,
  'paused-by-rule': t`A rule pauses this computer`,
  'pod-idle': t`A Pod that costs money is idle for 15 minutes`,
  'pod-spending': t`A Pod has used most of its spend cap, or was stopped by its rules`,
  'account-refused': t`An account refuses its key`,
  'gpu-price': t`A GPU reaches the price of an alert, or is in stock again`,
};
