/** The list of an open folder: read again when a change in it is reported, and else from time to time. */
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { FolderChange, VolumeListing } from '#contract/local/files.ts';
import { createRereads } from '../changes/rereads.ts';
import { untilVisible } from '../changes/visible.ts';
import { api, orpc, queryClient } from '../transport/orpc.ts';
import { useSubscription } from '../transport/subscription.ts';
import type { Place } from './transfers.ts';

/** Interval of the reads where no changes are reported, in milliseconds: of containers, over SSH, on network drives. */
const UNREPORTED_MS = 10_000;
/**
 * Interval of the reads where changes are reported, in milliseconds. No report says that something changed in a folder of
 * the folder, which has the time of it, or the target of a link.
 */
const REPORTED_MS = 60_000;

function onAttention(changed: () => void): () => void {
  window.addEventListener('focus', changed);
  window.addEventListener('blur', changed);
  document.addEventListener('visibilitychange', changed);
  return () => {
    window.removeEventListener('focus', changed);
    window.removeEventListener('blur', changed);
    document.removeEventListener('visibilitychange', changed);
  };
}

/** Whether a person works with this page now: it is visible and has the focus. */
const useAttention = (): boolean =>
  useSyncExternalStore(onAttention, () => document.visibilityState === 'visible' && document.hasFocus());

export interface Listing {
  query: UseQueryResult<VolumeListing>;
  /** Interval of reads of what nobody reports, in milliseconds; false while no person works with the page. */
  everyMs: number | false;
}

/** `isEnabled`: whether the folder has files at all. */
export function useListing({ accountId, holder, path }: Place, isEnabled: boolean): Listing {
  const input = { accountId, holder, path };
  const key = JSON.stringify(input);
  /** The folder whose changes are reported now. */
  const [reported, setReported] = useState<string | null>(null);
  const isReported = reported === key;
  const hasAttention = useAttention();
  const everyMs = hasAttention && UNREPORTED_MS;
  const query = useQuery(
    orpc.files.list.queryOptions({
      input,
      enabled: isEnabled,
      refetchInterval: hasAttention && (isReported ? REPORTED_MS : UNREPORTED_MS),
      retry: false,
    }),
  );

  const reread = useRef<() => void>(() => undefined);
  const read = useEffectEvent(() => queryClient.invalidateQueries({ queryKey: orpc.files.list.queryKey({ input }) }));
  useEffect(() => {
    const life = new AbortController();
    reread.current = createRereads(() => read(), untilVisible, life.signal);
    return () => life.abort();
  }, [key]);
  useSubscription<FolderChange>({
    // A folder that could not be read is followed once it can.
    key: isEnabled && !query.isError ? key : null,
    ends: 'never',
    open: (signal) => api.files.changes(input, { signal }),
    onEvent() {
      setReported(key);
      reread.current();
    },
    onClosed() {
      // It may be gone, which the next read says.
      if (isReported) reread.current();
      setReported(null);
    },
  });

  // Who comes back to the page sees the folder as it is.
  const readAfterReturn = useEffectEvent(() => {
    if (isEnabled && !isReported && Date.now() - query.dataUpdatedAt >= UNREPORTED_MS) void query.refetch();
  });
  useEffect(() => {
    if (hasAttention) readAfterReturn();
  }, [hasAttention]);
  return { query, everyMs };
}
