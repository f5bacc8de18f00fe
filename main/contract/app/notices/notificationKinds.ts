/** Apart from the contract, which a page does not load at its start. */

/** Notifications that the system may show while no window of Hangar has the focus. */
export const notificationKinds = [
  'job-ended',
  'job-failed',
  'paused-by-rule',
  'pod-idle',
  'pod-spending',
  'account-refused',
  'gpu-price',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];
