/** A live log: the newest lines first, then every new line, and older lines on demand. */
import { useState } from 'react';
import type { LogBatch, WholeLogEvent } from '#contract/app/endpointReadModels.ts';
import { limits } from '#contract/core/limits.ts';
import type { LogLine, PodLogFilter } from '#contract/local/log.ts';
import { appendLines, BUFFERED_LINES, prependLines } from '../ui/log/logLines.ts';
import { api, errorText } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

export interface LogFeed {
  /** Oldest first; null until the first answer. */
  lines: readonly LogLine[] | null;
  /** Why no more lines arrive, for a person; null if there is no problem. */
  problem: string | null;
  /** Whether older lines can be loaded. */
  more: boolean;
  loadOlder: () => Promise<void>;
  /** Reads every kept line that the service has for this log, also those that are not loaded. */
  readAll: (signal: AbortSignal) => Promise<AsyncIterable<WholeLogEvent>>;
}

const PAGE_LINES = limits.page.logLines;

/**
 * The service applies `filter`; filters of the page apply to the loaded lines. Use another React key for another log.
 */
export function useLogFeed(accountId: string, filter: PodLogFilter): LogFeed {
  const [lines, setLines] = useState<readonly LogLine[] | null>(null);
  const [more, setMore] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  useSubscription<LogBatch>({
    key: JSON.stringify([accountId, filter]),
    ends: 'never',
    open: async (signal) => {
      try {
        let last = lines?.at(-1)?.n ?? null;
        if (last === null) {
          const page = await api.logs.page({ accountId, filter, limit: PAGE_LINES }, { signal });
          setLines((current) => appendLines(current ?? [], page.lines));
          setMore(page.more);
          last = page.lines.at(-1)?.n ?? 0;
        }
        const events = await api.logs.follow({ accountId, filter, after: last }, { signal });
        setProblem(null);
        return events;
      } catch (error) {
        if (!signal.aborted) setProblem(errorText(error));
        throw error;
      }
    },
    onEvent: (batch) => setLines((current) => appendLines(current ?? [], batch.lines)),
    onMissing: setProblem,
  });

  return {
    lines,
    problem,
    more: more && (lines?.length ?? 0) < BUFFERED_LINES,
    loadOlder: async () => {
      const before = lines?.[0]?.n;
      if (before === undefined) return;
      try {
        const page = await api.logs.page({ accountId, filter, before, limit: PAGE_LINES });
        setLines((current) => prependLines(current ?? [], page.lines));
        setMore(page.more);
      } catch (error) {
        setProblem(errorText(error));
      }
    },
    readAll: (signal) => api.logs.whole({ accountId, filter }, { signal }),
  };
}
