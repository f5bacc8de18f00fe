/** The endpoints of an account as they are now, read again when they change. */
import { useQuery } from '@tanstack/react-query';
import type { EndpointsNow } from '#contract/app/endpointReadModels.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { usePollMs, useLiveView, type LiveView } from '../../client/transport/live.ts';
import { orpc } from '../../client/transport/orpc.ts';

export const useEndpointsNow = (accountId: string): LiveView<EndpointsNow> =>
  useLiveView(
    useQuery(
      orpc.endpoints.now.queryOptions({
        input: { accountId },
        refetchInterval: useStatePollMs(accountId, usePollMs()),
        retry: false,
      }),
    ),
  );
