/** A log as it is written: the newest lines first, then every line that comes, and older ones on demand. */
import { useState } from 'react';
import type { LogBatch } from '#contract/app/endpointReadModels.ts';
import { limits } from '#contract/core/limits.ts';
import type { LogLine, ToldLogFilter } from '#contract/local/log.ts';
import { appendLines, HELD_LINES, prependLines } from '../ui/log/logLines.ts';
import { api, errorText } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

export interface LogFeed {
  /** Oldest first; null until the first answer. */
  lines: readonly LogLine[] | null;
  /** Why nothing more comes, for a person; null while it is followed. */
  problem: string | null;
  /** Whether older lines can be had. */
  more: boolean;
  loadOlder: () => Promise<void>;
}

const PAGE_LINES = limits.page.logLines;

/** `filter` is asked of the service; what hides lines on the page comes on top. Give it a key of its own for another log. */
export function useLogFeed(accountId: string, filter: ToldLogFilter): LogFeed {
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
          setLines((held) => appendLines(held ?? [], page.lines));
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
    onEvent: (batch) => setLines((held) => appendLines(held ?? [], batch.lines)),
    onMissing: setProblem,
  });

  return {
    lines,
    problem,
    more: more && (lines?.length ?? 0) < HELD_LINES,
    loadOlder: async () => {
      const before = lines?.[0]?.n;
      if (before === undefined) return;
      try {
        const page = await api.logs.page({ accountId, filter, before, limit: PAGE_LINES });
        setLines((held) => prependLines(held ?? [], page.lines));
        setMore(page.more);
      } catch (error) {
        setProblem(errorText(error));
      }
    },
  };
}
