/** The API keys of an engine and the names of its endpoints, read again when they change. */
import { useQuery } from '@tanstack/react-query';
import type { ApiKeyRecord } from '#contract/local/engine.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { useLiveView, type LiveView } from '../../../client/transport/live.ts';
import { orpc, queryClient } from '../../../client/transport/orpc.ts';

/** Interval of the polls of an engine that does not report their changes. */
const EVERY_MS = 10_000;

export function useApiKeys(accountId: string): LiveView<ApiKeyRecord[]> {
  const refetchInterval = useStatePollMs(accountId, EVERY_MS, 'key');
  return useLiveView(useQuery(orpc.apiKeys.list.queryOptions({ input: { accountId }, refetchInterval, retry: false })));
}

/** Undefined until they are loaded. */
export const useEndpointsToChoose = (accountId: string) =>
  useQuery(orpc.endpoints.list.queryOptions({ input: { accountId }, retry: false })).data;

/** Reads the keys again after a change here. */
export const apiKeysChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: orpc.apiKeys.key() });
