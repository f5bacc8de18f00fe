/** Which accounts report their changes now. What they report is not polled. */
import { create } from 'zustand';

const usePushing = create<ReadonlySet<string>>(() => new Set());

export function notePushed(accountId: string, isPushed: boolean): void {
  const before = usePushing.getState();
  if (before.has(accountId) === isPushed) return;
  const after = new Set(before);
  if (isPushed) after.add(accountId);
  else after.delete(accountId);
  usePushing.setState(after, true);
}

/** The ids of the accounts that report their changes now. */
export const usePushedAccounts = (): ReadonlySet<string> => usePushing();

export const useIsPushed = (accountId: string): boolean => usePushing((ids) => ids.has(accountId));

/** The interval of the reads of a state, milliseconds: `everyMs` while the account does not report its changes, else none. */
export const useStatePollMs = (accountId: string, everyMs: number): number | false =>
  useIsPushed(accountId) ? false : everyMs;
