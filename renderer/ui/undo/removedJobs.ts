/** The removal of jobs from this computer, which a person can take back while its notice is shown. */
import { useEffect } from 'react';
import { notifications } from '@mantine/notifications';
import { api, errorText, orpc, queryClient, useConnection } from '../../client/transport/orpc.ts';
import { formatCount } from '../text/format.ts';
import { offerUndo } from './offerUndo.tsx';
import { counted, t } from '../../language/text.ts';

/** Removes ended jobs, at most 1000, and offers to put them back. Throws the error of the app if none was removed. */
export async function removeJobs(entryIds: readonly string[]): Promise<void> {
  const { removed } = await api.jobs.forget({ entryIds: [...entryIds] });
  countAgain();
  // Another window may have removed them.
  if (removed > 0) offerToRestore(entryIds, removed);
}

/** Lists and numbers follow at once: the stream of changed jobs does not tell of a removal. */
function countAgain(): void {
  for (const read of [orpc.jobs.counts, orpc.jobs.list, orpc.endpoints.totals])
    void queryClient.invalidateQueries({ queryKey: read.key() });
}

function offerToRestore(entryIds: readonly string[], count: number): void {
  offerUndo(
    counted(count, 'Removed the job', 'Removed {0} jobs', formatCount(count)),
    () => void restore([...entryIds], count),
    // The app also deletes them by itself, a minute after their removal.
    () => void api.jobs.discard({ entryIds: [...entryIds] }).catch(() => undefined),
  );
}

async function restore(entryIds: string[], count: number): Promise<void> {
  const title = counted(count, 'The job was not put back', 'Not all jobs were put back');
  try {
    const { restored } = await api.jobs.restore({ entryIds });
    countAgain();
    if (restored < count)
      notifications.show({ title, message: t`They were deleted by another window.`, 'data-tone': 'bad' });
  } catch (error) {
    notifications.show({ title, message: errorText(error), 'data-tone': 'bad' });
  }
}

/** Offers again to put back the jobs whose notice ended with an earlier page or an earlier run; mounted once. */
export function useRemovedJobs(): void {
  const isConnected = useConnection((status) => status.generation > 0);
  useEffect(() => {
    if (!isConnected) return;
    void api.jobs.removed().then(
      ({ entryIds }) => entryIds.length > 0 && offerToRestore(entryIds, entryIds.length),
      // Nothing is lost: without the offer, the app deletes them a minute after their removal, as the person wanted.
      () => undefined,
    );
  }, [isConnected]);
}
