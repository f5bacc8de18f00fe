/** What is left of a quota of requests, as an answer says. */
import type { SentRequest } from '../../platform/requestObserver.ts';

/**
 * Parses `RateLimit: limit=60, remaining=12, reset=34`, or `"minute";r=12;t=34`. Of several windows, the one with the
 * smallest rest counts.
 */
export function allowanceOf(header: string | string[] | undefined): SentRequest['allowance'] {
  const windows = [header ?? []]
    .flat()
    .join(',')
    .split(/,(?=\s*")/);
  const allowances = windows.flatMap((window) => {
    const remaining = /\b(?:remaining|r)\s*=\s*(\d+)/.exec(window)?.[1];
    const reset = /\b(?:reset|t)\s*=\s*(\d+)/.exec(window)?.[1];
    return remaining === undefined || reset === undefined
      ? []
      : [{ remaining: Number(remaining), resetMs: Number(reset) * 1000 }];
  });
  return allowances.toSorted((one, other) => one.remaining - other.remaining)[0] ?? null;
}
