/** Stores the measured values that engines send while a part of the page shows them. */
import { useDocumentVisibility } from '@mantine/hooks';
import type { PodFacts } from '#contract/api/pod.ts';
import type { PodRow, PodsNow } from '#contract/bridge/pod.ts';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { Machine } from '#contract/local/machine.ts';
import { isAway, useAccounts } from '../accounts.ts';
import { api, orpc, queryClient } from '../transport/orpc.ts';
import { useSubscription } from '../transport/subscription.ts';
import { noteArriving, sampleKey, useWatched, type Measured, type Watched } from './samples.ts';

interface Samples {
  machine: Machine;
  workers: WorkerRecord[];
  pods: PodFacts[];
}

interface SampleKind<Sample> {
  open: (input: { accountId: string; everyMs: number }, signal: AbortSignal) => Promise<AsyncIterable<Sample>>;
  store: (input: { accountId: string }, sample: Sample) => void;
}

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

/** The stream of each measured value, and how its samples become what the page shows. */
const kinds: { [Kind in Measured]: SampleKind<Samples[Kind]> } = {
  machine: {
    open: (input, signal) => api.machine.machineSamples(input, { signal }),
    store: (input, machine) => queryClient.setQueryData(orpc.machine.get.queryKey({ input }), machine),
  },
  workers: {
    open: (input, signal) => api.machine.workerSamples(input, { signal }),
    store: (input, workers) => queryClient.setQueryData(orpc.machine.workers.queryKey({ input }), workers),
  },
  pods: {
    open: (input, signal) => api.pods.samples(input, { signal }),
    // A new Pod is a change, and comes with its record.
    store: (input, facts) =>
      queryClient.setQueryData(orpc.pods.now.queryKey({ input }), (now) => now && withFacts(now, facts)),
  },
};

/** Pods without new facts stay as they are: one that was just deleted has none. */
function withFacts(now: PodsNow, all: readonly PodFacts[]): PodsNow {
  const factsOf = new Map(all.map((facts) => [facts.id, facts]));
  const rows = now.rows.map((row): PodRow => {
    const facts = factsOf.get(row.pod.id);
    if (facts === undefined) return row;
    return { ...row, facts, ...(facts.autoStop && { autoStop: facts.autoStop }) };
  });
  return { ...now, rows };
}

function SampleFeed<Kind extends Measured>({ watched }: { watched: Watched & { of: Kind } }) {
  const { accountId, of, everyMs } = watched;
  const kind: SampleKind<Samples[Kind]> = kinds[of];
  useSubscription<Samples[Kind]>({
    key: `${sampleKey(watched)} ${everyMs}`,
    ends: 'never',
    open: (signal) => kind.open({ accountId, everyMs }, signal),
    onEvent(sample) {
      kind.store({ accountId }, sample);
      noteArriving(watched, true);
    },
    onClosed: () => noteArriving(watched, false),
  });
  return null;
}
