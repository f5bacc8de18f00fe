/** Where each attempt of a job begins in its log. */
import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { LogLine } from '#contract/local/log.ts';
import { attemptsOf } from '../../../client/jobs/attempts.ts';
import type { LogMark } from '../../log/logLines.ts';
import { formatStamp } from '../../text/format.ts';
import { t } from '../../../language/text.ts';

/** Between two lines, whose numbers are whole. */
const HALF = 0.5;

/** `lines`: those of the job, oldest first; null until they are read. Empty for a job of one attempt. */
export function useAttemptMarks(entry: LedgerEntry, lines: readonly LogLine[] | null): readonly LogMark[] {
  const { data } = useQuery({ ...attemptsOf(entry), enabled: entry.retries > 0, retry: false });
  const current = entry.queuedAt ?? entry.sentAt;
  return useMemo(
    () =>
      data === undefined || data.length === 0
        ? []
        : marksOf(
            [
              ...data.map(({ number, queuedAt }) => ({ number, queuedAt })),
              { number: data.length + 1, queuedAt: current },
            ],
            lines ?? [],
          ),
    [data, current, lines],
  );
}

interface Attempt {
  number: number;
  /** In milliseconds since the epoch. */
  queuedAt: number;
}

/** A mark before the first line of each attempt. Attempts without lines have their mark before the next line. */
export function marksOf(attempts: readonly Attempt[], lines: readonly LogLine[]): readonly LogMark[] {
  return attempts.map(({ number, queuedAt }, index) => {
    const next = index === 0 ? lines[0] : lines.find(({ at }) => Date.parse(at) >= queuedAt);
    const last = lines.at(-1)?.n ?? 0;
    const part = (index + 1) / (attempts.length + 1);
    return {
      n: next === undefined ? last + HALF + part * HALF : next.n - HALF + part * HALF,
      at: new Date(queuedAt).toISOString(),
      endpointId: '',
      workerId: '',
      jobId: null,
      stream: 'engine',
      level: null,
      text: t`Attempt ${number} · ${formatStamp(queuedAt)}`,
      fileText: t`Attempt ${number}`,
    };
  });
}
