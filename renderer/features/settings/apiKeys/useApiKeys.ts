/** The API keys of an engine and the names of its endpoints, polled while the page is visible. */
import { useQuery } from '@tanstack/react-query';
import { useLiveView } from '../../../client/transport/live.ts';
import { orpc, queryClient } from '../../../client/transport/orpc.ts';

/** Interval of the polls: the time of the last use need not be live. */
const EVERY_MS = 10_000;

export const useApiKeys = (accountId: string) =>
  useLiveView(
    useQuery(orpc.apiKeys.list.queryOptions({ input: { accountId }, refetchInterval: EVERY_MS, retry: false })),
  );

/** Undefined until they are loaded. */
export const useEndpointsToChoose = (accountId: string) =>
  useQuery(orpc.endpoints.list.queryOptions({ input: { accountId }, retry: false })).data;

/** Reads the keys again after a change here. */
export const apiKeysChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: orpc.apiKeys.key() });
