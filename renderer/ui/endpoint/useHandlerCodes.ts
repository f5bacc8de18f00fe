/** Where the code of endpoints is, for texts that name its lines. */
import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { codeOf, type HandlerCode } from './handlerCode.ts';

/** The list of endpoints is read again by other parts of the page when it changes. */
const FRESH_MS = 60_000;

export type HandlerCodes = (endpointId: string) => HandlerCode | null;

/** Finds the code of an endpoint of an account: null for images, for deleted ones, and on other computers. */
export function useHandlerCodes(accountId: string): HandlerCodes {
  const { data } = useQuery(
    orpc.endpoints.now.queryOptions({
      input: { accountId },
      enabled: accountId === THIS_MACHINE,
      retry: false,
      staleTime: FRESH_MS,
    }),
  );
  return useMemo(() => {
    const codes = new Map(data?.rows.map((row) => [row.id, codeOf(accountId, row)]));
    return (endpointId) => codes.get(endpointId) ?? null;
  }, [data, accountId]);
}
