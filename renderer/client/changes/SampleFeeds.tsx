/** Stores the measured values that engines send while a part of the page shows them. */
import { useDocumentVisibility } from '@mantine/hooks';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { Machine } from '#contract/local/machine.ts';
import { isAway, useAccounts } from '../accounts.ts';
import { api, orpc, queryClient } from '../transport/orpc.ts';
import { useSubscription } from '../transport/subscription.ts';
import { noteArriving, sampleKey, useWatched, type Watched } from './samples.ts';

/** One feed for all parts of the page that show the same; none while nobody can see the page. Mounted once. */
export function SampleFeeds() {
  const watched = useWatched();
  const isHidden = useDocumentVisibility() === 'hidden';
  const accounts = useAccounts() ?? [];
  const isSending = ({ accountId }: Watched): boolean =>
    accounts.some((account) => account.id === accountId && account.capabilities.includes('local') && !isAway(account));
  if (isHidden) return null;
  return watched.filter(isSending).map((one) => <SampleFeed key={sampleKey(one)} watched={one} />);
}

function SampleFeed({ watched }: { watched: Watched }) {
  const { accountId, of, everyMs } = watched;
  const input = { accountId };
  useSubscription<Machine | WorkerRecord[]>({
    key: `${sampleKey(watched)} ${everyMs}`,
    ends: 'never',
    open: (signal) =>
      api.machine[of === 'machine' ? 'machineSamples' : 'workerSamples']({ ...input, everyMs }, { signal }),
    onEvent(sample) {
      queryClient.setQueryData(orpc.machine[of === 'machine' ? 'get' : 'workers'].queryKey({ input }), sample);
      noteArriving(watched, true);
    },
    onClosed: () => noteArriving(watched, false),
  });
  return null;
}
