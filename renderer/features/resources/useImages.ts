/** The container images on the computer of an account, polled while they are shown. */
import { useQuery } from '@tanstack/react-query';
import type { LocalImage } from '#contract/local/image.ts';
import { useLiveView, type LiveView } from '../../client/transport/live.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

/**
 * Interval of the polls: other programs pull and remove images, too, and the engine does not follow what its container
 * engine reports about them.
 */
const EVERY_MS = 10_000;

export const useImages = (accountId: string): LiveView<LocalImage[]> =>
  useLiveView(
    useQuery(orpc.machine.images.queryOptions({ input: { accountId }, refetchInterval: EVERY_MS, retry: false })),
  );

export const imagesChanged = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: orpc.machine.images.key() });
