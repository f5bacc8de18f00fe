/**
 * How often the fake lets a key ask: operations of a job API in windows of ten seconds, REST v2 by minute, hour and
 * day.
 */
import { limits } from '#contract/core/limits.ts';
import { Refusal } from './wire.ts';

const WINDOW_S = limits.rates.windowMs / 1000;

type Operation = 'run' | 'runsync' | 'status' | 'stream' | 'cancel' | 'purge-queue';

interface Window {
  readonly name: string;
  readonly lengthS: number;
  quota: number;
  startedAt: number;
  used: number;
}

export interface Rates {
  /** Sets how many requests to one operation of an endpoint are taken in ten seconds. */
  setJobs(operation: Operation, requests: number): void;
  /** Sets how many requests REST v2 takes in a minute. */
  setMinute(requests: number): void;
  /** Counts a request of the job API; refuses with 429. */
  countJob(endpointId: string, operation: string): void;
  /** Counts one of REST v2; answers the headers. Refuses with 429, and the same headers. */
  countManagement(): Record<string, string>;
}

export function createRates(now: () => number): Rates {
  const most = new Map<string, number>(
    Object.entries(limits.rates.operations).map(([name, { requests }]) => [name, requests]),
  );
  const timesByBucket = new Map<string, number[]>();
  const window = (name: string, lengthS: number, quota: number): Window => ({
    name,
    lengthS,
    quota,
    startedAt: now(),
    used: 0,
  });
  const windows = [window('minute', 60, 600), window('hour', 3600, 30_000), window('day', 86_400, 500_000)];

  const list = (tell: (one: Window) => string): string => windows.map((one) => `"${one.name}";${tell(one)}`).join(', ');
  const resetS = ({ startedAt, lengthS }: Window): number => Math.ceil((startedAt + lengthS * 1000 - now()) / 1000);

  return {
    setJobs: (operation, requests) => void most.set(operation, requests),
    setMinute(requests) {
      windows[0]!.quota = requests;
    },
    countJob(endpointId, operation) {
      const limit = most.get(operation);
      if (limit === undefined) return;
      const name = `${endpointId} ${operation}`;
      const recent = (timesByBucket.get(name) ?? []).filter((at) => at > now() - limits.rates.windowMs);
      if (recent.length >= limit) {
        const waitS = Math.max(1, Math.ceil((recent[0]! + limits.rates.windowMs - now()) / 1000));
        throw new Refusal(429, `rate limit exceeded: ${limit} requests per ${WINDOW_S} seconds`, {
          headers: { 'retry-after': String(waitS) },
        });
      }
      timesByBucket.set(name, [...recent, now()]);
    },
    countManagement() {
      for (const one of windows) {
        if (now() < one.startedAt + one.lengthS * 1000) continue;
        one.startedAt = now();
        one.used = 0;
      }
      const full = windows.find(({ used, quota }) => used >= quota);
      if (!full) for (const one of windows) one.used++;
      const headers = {
        ratelimit: list((one) => `r=${Math.max(0, one.quota - one.used)};t=${resetS(one)}`),
        'ratelimit-policy': list(({ quota, lengthS }) => `q=${quota};w=${lengthS}`),
      };
      if (!full) return headers;
      throw new Refusal(429, `rate limit exceeded for the ${full.name} window`, {
        headers: { ...headers, 'retry-after': String(resetS(full)) },
      });
    },
  };
}
