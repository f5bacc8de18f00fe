/** Which accounts report their changes now, and of what. What they report is not polled. */
import { create } from 'zustand';
import { firstKinds, type ChangeKind } from '#contract/local/changes/stateChange.ts';

const usePushing = create<ReadonlyMap<string, ReadonlySet<string>>>(() => new Map());

const first: ReadonlySet<string> = new Set(firstKinds);

/** `kinds`: what it reports now, if that has just been named. */
export function notePushed(accountId: string, kinds?: readonly string[]): void {
  const before = usePushing.getState();
  if (kinds === undefined && before.has(accountId)) return;
  usePushing.setState(new Map([...before, [accountId, kinds ? new Set(kinds) : first]]), true);
}

export function noteNotPushed(accountId: string): void {
  const before = usePushing.getState();
  if (before.has(accountId)) usePushing.setState(new Map([...before].filter(([id]) => id !== accountId)), true);
}

/** The accounts that report changes of their Pods and endpoints now. */
export const usePushedAccounts = (): { has(accountId: string): boolean } => usePushing();

/** Whether an account reports changes of this kind now. Every one that reports changes reports those of endpoints. */
export const useIsPushed = (accountId: string, kind: ChangeKind = 'endpoint'): boolean =>
  usePushing((kinds) => kinds.get(accountId)?.has(kind) === true);

/**
 * The interval of the reads of a state, milliseconds: none while the account reports changes of this kind, else
 * `everyMs`. `kind`: to be named where not every engine that reports changes reports it.
 */
export const useStatePollMs = (accountId: string, everyMs: number, kind: ChangeKind = 'endpoint'): number | false =>
  useIsPushed(accountId, kind) ? false : everyMs;
