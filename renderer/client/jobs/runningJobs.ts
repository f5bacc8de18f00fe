/** The jobs that run now, as the stream of changes told. Other answers may be older, or do not count what is ending. */
import { useState } from 'react';
import { useJobChanges, useMissedChanges } from './jobChanges.ts';

const none: ReadonlySet<string> = new Set();

/** How many jobs of the account began since this is shown and have not ended. */
export function useRunningJobs(accountId: string): number {
  const [running, setRunning] = useState(none);
  useJobChanges((changed) => {
    const ours = changed.filter((entry) => entry.accountId === accountId);
    setRunning((before) => {
      const next = new Set(before);
      for (const { entryId, status } of ours) {
        if (status === 'IN_PROGRESS') next.add(entryId);
        else next.delete(entryId);
      }
      return ours.every(({ entryId }) => before.has(entryId) === next.has(entryId)) ? before : next;
    });
  });
  // Among what was missed may be the end of each of them.
  useMissedChanges(() => setRunning(none));
  return running.size;
}
