/** Values that are polled while the page is visible, and messages about missing answers. */
import { useEffect, useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { isAway, useTarget } from '../accounts.ts';
import { useEngine } from '../engine.ts';
import { errorText, useConnection } from './orpc.ts';
import { t } from '../../language/text.ts';

/** Interval of the polls, only while the window is visible. */
const POLL_MS = 2000;
/** Without an answer for this long, the values count as outdated. */
const LATE_MS = 8000;

export interface LiveView<T> {
  /** Undefined until the first answer. */
  now: T | undefined;
  /** When the value arrived, in milliseconds since the epoch. */
  at: number;
  /** Why the shown value may be outdated, or why there is none; null if there is no problem. */
  problem: string | null;
  retry: () => void;
}

/** The interval for remote accounts: each request there counts against a rate. */
const FAR_MS = 10_000;

export const usePollMs = (): number => (useTarget().accountId === THIS_MACHINE ? POLL_MS : FAR_MS);

/** A query of the target, with the reason if its value may be outdated. */
export function useLiveView<T>(query: UseQueryResult<T>): LiveView<T> {
  const connected = useConnection((status) => status.state === 'open');
  const engine = useEngine((state) => state.status?.state ?? 'ready');
  const { accountId, account } = useTarget();
  const isLate = useIsLate(query.isFetching);
  const accountProblem =
    accountId === THIS_MACHINE
      ? engine !== 'ready'
        ? t`The engine cannot be reached.`
        : null
      : account !== null && isAway(account)
        ? account.reason
        : null;
  const away = connected ? accountProblem : t`Hangar cannot be reached.`;
  return {
    now: query.data,
    at: query.dataUpdatedAt,
    problem: query.isError
      ? errorText(query.error)
      : ((query.data ? away : null) ?? (isLate ? t`No answer for ${LATE_MS / 1000} s.` : null)),
    retry: () => void query.refetch(),
  };
}

/** Whether a read takes longer than `LATE_MS`. */
function useIsLate(isUnderWay: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setTimeout(() => setIsLate(true), LATE_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isUnderWay]);
  return isLate;
}
