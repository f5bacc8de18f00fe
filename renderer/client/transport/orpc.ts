/**
 * The page's only access to the app: the typed client, its queries, and their behaviour while the app is not reachable.
 */
import { createORPCClient, ORPCError } from '@orpc/client';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { onlineManager, QueryClient, type Query } from '@tanstack/react-query';
import { mayHaveExecuted } from '#contract/core/errors.ts';
import type { BridgeClient } from '#contract/bridge/index.ts';
import * as z from 'zod';
import { createConnection } from './connection.ts';
import { openTransport, type AppLink } from './transport.ts';
import { t } from '../../language/text.ts';

/** The error of a refused call; its code is one of contract/core/errors.ts. */
export { ORPCError };

const connection = createConnection<AppLink>(openTransport);

export const useConnection = connection.useStatus;
export const reconnectNow = connection.tryNow;

export const LOST_MESSAGE = t`The connection to Hangar was lost before the answer came.`;

const link: AppLink = {
  call: async (path, input, options) => {
    const current = connection.link();
    if (current === null) throw new ORPCError('SERVICE_UNAVAILABLE', { message: LOST_MESSAGE });
    return current.call(path, input, options);
  },
};

export const api: BridgeClient = createORPCClient<BridgeClient>(link);
export const orpc = createTanstackQueryUtils(api);

// "Online" means that the app is reachable: the network beyond this computer does not matter.
onlineManager.setEventListener((setOnline) => {
  setOnline(connection.useStatus.getState().state === 'open');
  return connection.useStatus.subscribe((status) => setOnline(status.state === 'open'));
});

/** Queries wait while the app is not reachable, and run again after that. Actions fail immediately with a reason. */
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

/**
 * A query that has no data and waits for the app has its error meanwhile, so that the page says what is missing instead
 * of loading for ever. Its read is not ended, and runs once the app is back.
 */
function failWithoutApp(query: Pick<Query, 'state' | 'setState'>): void {
  const { status, fetchStatus } = query.state;
  if (connection.useStatus.getState().state !== 'lost' || status !== 'pending' || fetchStatus !== 'paused') return;
  query.setState({ status: 'error', error: new ORPCError('SERVICE_UNAVAILABLE', { message: LOST_MESSAGE }) });
}
const queries = queryClient.getQueryCache();
queries.subscribe((event) => {
  if (event.type === 'updated') failWithoutApp(event.query);
});
connection.useStatus.subscribe(() => {
  for (const query of queries.getAll()) failWithoutApp(query);
});

/** The message of an error for a person. Messages of the app are written for people; others are not shown. */
export function errorText(error: unknown): string {
  if (error instanceof ORPCError && error.message !== '') return error.message;
  if (connection.link() === null) return LOST_MESSAGE;
  return t`Something went wrong inside Hangar. Its log has the details.`;
}

const INTERNAL_CODES: ReadonlySet<unknown> = new Set(['INTERNAL', 'INTERNAL_SERVER_ERROR']);
const detailsSchema = z.record(z.string(), z.unknown());

/** The field of the request that an error is about, as the app names it; null if it names none. */
export function errorField(error: unknown): string | null {
  const details = detailsSchema.safeParse(error instanceof ORPCError ? error.data : null);
  const field = details.data?.['field'];
  return typeof field === 'string' ? field : null;
}

/**
 * Whether a failed action certainly changed nothing. That is unknown after a lost answer, and after a fault inside
 * Hangar.
 */
export function changedNothing(error: unknown): boolean {
  if (!(error instanceof ORPCError) || INTERNAL_CODES.has(error.code)) return false;
  const details = detailsSchema.safeParse(error.data);
  return !mayHaveExecuted(details.success ? { details: details.data } : {});
}
