/** The page's only way to the app: the typed client, its queries, and what happens to them while the app is away. */
import { createORPCClient, ORPCError } from '@orpc/client';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { onlineManager, QueryClient } from '@tanstack/react-query';
import type { BridgeClient } from '#contract/bridge/index.ts';
import { createConnection } from './connection.ts';
import { openTransport, type AppLink } from './transport.ts';

/** What a refused call rejects with; its code is one of contract/errors.ts. */
export { ORPCError };

const connection = createConnection<AppLink>(openTransport);

export const useConnection = connection.useStatus;
export const reconnectNow = connection.tryNow;

export const LOST_MESSAGE = 'The connection to Hangar was lost before the answer came.';

const link: AppLink = {
  call: async (path, input, options) => {
    const current = connection.link();
    if (current === null) throw new ORPCError('SERVICE_UNAVAILABLE', { message: LOST_MESSAGE });
    return current.call(path, input, options);
  },
};

export const api: BridgeClient = createORPCClient<BridgeClient>(link);
export const orpc = createTanstackQueryUtils(api);

// "Online" means that the app is there: the network beyond this computer says nothing about it.
onlineManager.setEventListener((setOnline) => {
  setOnline(connection.useStatus.getState().state === 'open');
  return connection.useStatus.subscribe((status) => setOnline(status.state === 'open'));
});

/** Queries wait while the app is away and are asked again when it is back; actions fail at once, with a reason. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'online',
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      retry: 1,
      staleTime: 1000,
    },
    mutations: { networkMode: 'always' },
  },
});

/** What went wrong, for a person. Messages of the app are written for people; others are not shown. */
export function errorText(error: unknown): string {
  if (error instanceof ORPCError && error.message !== '') return error.message;
  if (connection.link() === null) return LOST_MESSAGE;
  return 'Something went wrong inside Hangar. Its log has the details.';
}
