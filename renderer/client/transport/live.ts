/** What is asked again while somebody looks, and what a person is told when the answers stay away. */
import { useEffect, useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { isAway, useTarget } from '../accounts.ts';
import { useEngine } from '../engine.ts';
import { errorText, useConnection } from './orpc.ts';

/** Only while the window is to be seen. */
const POLL_MS = 2000;
/** After so long without an answer the numbers are called old. */
const LATE_MS = 8000;

export interface LiveView<T> {
  /** Undefined until the first answer. */
  now: T | undefined;
  /** When it came, milliseconds since the epoch. */
  at: number;
  /** Why what is shown may be out of date, or why there is nothing; null while all is well. */
  problem: string | null;
  retry: () => void;
}

/** Another computer is asked less often: there each question counts against a rate. */
const FAR_MS = 10_000;

export const usePollMs = (): number => (useTarget().accountId === THIS_MACHINE ? POLL_MS : FAR_MS);

/** Of what is asked of the target. */
export function useLiveView<T>(query: UseQueryResult<T>): LiveView<T> {
  const connected = useConnection((status) => status.state === 'open');
  const engine = useEngine((state) => state.status?.state ?? 'ready');
  const { accountId, account } = useTarget();
  const isLate = useIsLate(query.isFetching);
  const accountProblem =
    accountId === THIS_MACHINE
      ? engine !== 'ready'
        ? 'The engine cannot be reached.'
        : null
      : account !== null && isAway(account)
        ? account.reason
        : null;
  const away = connected ? accountProblem : 'Hangar cannot be reached.';
  return {
    now: query.data,
    at: query.dataUpdatedAt,
    problem: query.isError
      ? errorText(query.error)
      : ((query.data ? away : null) ?? (isLate ? `No answer has come for ${LATE_MS / 1000} s.` : null)),
    retry: () => void query.refetch(),
  };
}

/** Whether something has been under way for longer than a person should have to guess. */
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
