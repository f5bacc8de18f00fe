/** The API keys of an engine and the names of its endpoints, asked again while somebody looks. */
import { useQuery } from '@tanstack/react-query';
import { useLiveView } from '../../../client/transport/live.ts';
import { orpc, queryClient } from '../../../client/transport/orpc.ts';

/** When a key was last used is no live number. */
const EVERY_MS = 10_000;

export const useApiKeys = (accountId: string) =>
  useLiveView(
    useQuery(orpc.apiKeys.list.queryOptions({ input: { accountId }, refetchInterval: EVERY_MS, retry: false })),
  );

/** Undefined until they have come. */
export const useEndpointsToChoose = (accountId: string) =>
  useQuery(orpc.endpoints.list.queryOptions({ input: { accountId }, retry: false })).data;

/** After one was made, changed or deleted here. */
export const apiKeysChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: orpc.apiKeys.key() });
