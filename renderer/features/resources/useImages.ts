/** The container images on the computer of an account, as they are now. */
import { useQuery } from '@tanstack/react-query';
import type { LocalImage } from '#contract/local/image.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { useLiveView, type LiveView } from '../../client/transport/live.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

/** Interval of the polls of engines that do not report changes of images, milliseconds. */
const EVERY_MS = 10_000;

export function useImages(accountId: string): LiveView<LocalImage[]> {
  const refetchInterval = useStatePollMs(accountId, EVERY_MS, 'image');
  return useLiveView(
    useQuery(orpc.machine.images.queryOptions({ input: { accountId }, refetchInterval, retry: false })),
  );
}

export const imagesChanged = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: orpc.machine.images.key() });
