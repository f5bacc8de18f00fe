/** Reads the state of an account again as soon as its engine reports a change. */
import { useEffect, useRef } from 'react';
import type { ChangeKind } from '#contract/local/changes/stateChange.ts';
import { isAway, useAccounts } from '../accounts.ts';
import { api, orpc, queryClient } from '../transport/orpc.ts';
import { useSubscription } from '../transport/subscription.ts';
import { noteNotPushed, notePushed } from './pushed.ts';
import { createRereads } from './rereads.ts';
import { untilVisible } from './visible.ts';

/** One feed for each reachable account that reports changes; mounted once. */
export function ChangeFeeds() {
  const reporting = (useAccounts() ?? []).filter(
    (account) => account.capabilities.includes('local') && !isAway(account),
  );
  return reporting.map(({ id }) => <ChangeFeed key={id} accountId={id} />);
}

/** The queries that show what has changed. Those that nobody shows are read once somebody does. */
const queriesOf: Record<ChangeKind, (input: { accountId: string }) => readonly (readonly unknown[])[]> = {
  endpoint: (input) => [
    orpc.endpoints.now.key({ input }),
    orpc.endpoints.list.key({ input }),
    orpc.endpoints.health.key({ input }),
    orpc.workers.lanes.key({ input }),
    orpc.machine.workers.key({ input }),
    orpc.machine.queue.key({ input }),
    orpc.machine.setAside.key({ input }),
  ],
  folder: (input) => [
    orpc.folders.check.key({ input }),
    orpc.folders.environment.key({ input }),
    // The environment has the Python that reads it.
    orpc.folders.declaredInput.key({ input }),
  ],
  input: (input) => [orpc.folders.declaredInput.key({ input })],
  image: (input) => [orpc.machine.images.key({ input })],
  service: (input) => [orpc.machine.facts.key({ input })],
  pod: (input) => [
    orpc.pods.now.key({ input }),
    orpc.pods.events.key({ input }),
    // Its uses of resources.
    orpc.resources.now.key({ input }),
    orpc.ssh.server.key({ input }),
    orpc.machine.sshServer.key({ input }),
  ],
  pause: (input) => [
    orpc.machine.pauseState.key({ input }),
    orpc.machine.get.key({ input }),
    orpc.endpoints.now.key({ input }),
  ],
  resource: (input) => [
    orpc.resources.now.key({ input }),
    orpc.endpoints.choices.key({ input }),
    orpc.pods.choices.key({ input }),
  ],
  key: (input) => [orpc.apiKeys.list.key({ input })],
  settings: (input) => [
    orpc.machine.settings.key({ input }),
    orpc.machine.engineSettings.key({ input }),
    orpc.machine.get.key({ input }),
    orpc.ssh.server.key({ input }),
    orpc.machine.sshServer.key({ input }),
    // Prices.
    orpc.pods.now.key({ input }),
  ],
};

/** A busy endpoint changes all the time, and its sums of a day change little. */
const TOTALS_SPACING_MS = 15_000;

async function readAgain(kind: ChangeKind, accountId: string): Promise<void> {
  await Promise.all(
    queriesOf[kind]({ accountId }).map((queryKey) => queryClient.invalidateQueries({ queryKey: [...queryKey] })),
  );
}

const readTotals = (accountId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: orpc.endpoints.totals.key({ input: { accountId } }) });

/** The reads of each kind have a pace of their own: a busy queue does not delay a Pod. */
function createReads(accountId: string, signal: AbortSignal): Record<ChangeKind, () => void> {
  const reads = (kind: ChangeKind) => createRereads(() => readAgain(kind, accountId), untilVisible, signal);
  const endpoint = reads('endpoint');
  const totals = createRereads(() => readTotals(accountId), untilVisible, signal, TOTALS_SPACING_MS);
  return {
    endpoint() {
      endpoint();
      totals();
    },
    folder: reads('folder'),
    pod: reads('pod'),
    pause: reads('pause'),
    resource: reads('resource'),
    key: reads('key'),
    settings: reads('settings'),
    input: reads('input'),
    image: reads('image'),
    service: reads('service'),
  };
}

function ChangeFeed({ accountId }: { accountId: string }) {
  const reads = useRef<Record<ChangeKind, () => void> | null>(null);
  useEffect(() => {
    const life = new AbortController();
    reads.current = createReads(accountId, life.signal);
    return () => {
      life.abort();
      noteNotPushed(accountId);
    };
  }, [accountId]);

  useSubscription({
    key: accountId,
    ends: 'never',
    open: (signal) => api.machine.changes({ accountId }, { signal }),
    onEvent({ changes }) {
      for (const { about, kinds } of changes) {
        notePushed(accountId, kinds);
        if (about === 'all') for (const read of Object.values(reads.current ?? {})) read();
        else reads.current?.[about]();
      }
    },
    onClosed: () => noteNotPushed(accountId),
  });
  return null;
}
