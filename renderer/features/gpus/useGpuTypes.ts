/** GPU types of an account with prices and stock as they are now, asked again while somebody looks. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { gql } from 'urql';
import * as z from 'zod';
import type { Account } from '#contract/app/account.ts';
import { isProcessor, stockStatuses } from '#contract/api/gpuType.ts';
import { readGraphql } from '../../client/graphql.ts';
import { machineOptions, measuredMemory, type MeasuredMemory } from '../../client/machine.ts';
import { useLiveView, type LiveView } from '../../client/transport/live.ts';
import { api, queryClient } from '../../client/transport/orpc.ts';
import { listPriceOf, rowOfOffer, toRow, type GpuRow } from './gpuRows.ts';

const QUERY = gql`
  query GpuTypes($lowest: GpuLowestPriceInput) {
    gpuTypes {
      id
      displayName
      memoryInGb
      maxGpuCount
      securePrice
      communityPrice
      lowestPrice(input: $lowest) {
        uninterruptablePrice
        stockStatus
        availableGpuCounts
        totalCount
        rentedCount
      }
    }
  }
`;

const answerSchema = z.object({
  gpuTypes: z.array(
    z.object({
      id: z.string(),
      displayName: z.string().nullable(),
      memoryInGb: z.number().nullable(),
      maxGpuCount: z.number().nullable(),
      securePrice: z.number().nullish(),
      communityPrice: z.number().nullish(),
      lowestPrice: z
        .object({
          uninterruptablePrice: z.number().nullable(),
          stockStatus: z.enum(stockStatuses).nullable(),
          availableGpuCounts: z.array(z.number()).nullable(),
          totalCount: z.number().nullable(),
          rentedCount: z.number().nullable(),
        })
        .nullable(),
    }),
  ),
});

const EVERY_MS = 10_000;
const KEY = 'gpu-types';

async function ask(accountId: string, gpuCount: number, measured: MeasuredMemory): Promise<GpuRow[]> {
  const { gpuTypes } = await readGraphql(accountId, QUERY, { lowest: { gpuCount } }, answerSchema);
  return gpuTypes.map((type) => {
    const { lowestPrice } = type;
    const perHour = lowestPrice?.uninterruptablePrice ?? null;
    const facts = {
      id: type.id,
      name: type.displayName ?? type.id,
      isProcessor: isProcessor(type),
      memoryInGb: measured.get(type.id) ?? type.memoryInGb ?? 0,
      maxGpuCount: type.maxGpuCount ?? 0,
      perGpu: perHour === null ? null : perHour / gpuCount,
      listPrice: listPriceOf(type.securePrice, type.communityPrice),
      stock: lowestPrice?.stockStatus ?? ('None' as const),
      counts: lowestPrice?.availableGpuCounts ?? [],
      totalCount: lowestPrice?.totalCount ?? 0,
      rentedCount: lowestPrice?.rentedCount ?? 0,
    };
    return toRow(facts, gpuCount);
  });
}

const catalogue = async (accountId: string, gpuCount: number, measured: MeasuredMemory): Promise<GpuRow[]> =>
  (await api.pods.gpuTypes({ accountId })).map((offer) =>
    rowOfOffer({ ...offer, memoryInGb: measured.get(offer.id) ?? offer.memoryInGb }, gpuCount),
  );

/**
 * GraphQL tells more of GPUs, and no price of a processor, for which REST v2 is asked; without it the GPUs stand alone.
 */
async function askBoth(accountId: string, gpuCount: number, measured: MeasuredMemory): Promise<GpuRow[]> {
  const [gpus, all] = await Promise.all([
    ask(accountId, gpuCount, measured),
    catalogue(accountId, gpuCount, measured).catch(() => []),
  ]);
  return [...gpus, ...all.filter((row) => row.isProcessor)];
}

/** What drivers report, of an account that has a machine. Without an answer, the whole GB of the types are shown. */
async function memoryOf({ id, capabilities }: Account): Promise<MeasuredMemory> {
  if (!capabilities.includes('local')) return new Map();
  // The memory of a GPU does not change.
  const machine = queryClient.query({ ...machineOptions(id), staleTime: 'static', retry: false });
  return measuredMemory(await machine.then(({ gpus }) => gpus).catch(() => []));
}

const sources = { graphql: ask, catalogue, both: askBoth } as const;

export const gpuTypesKey = [KEY] as const;

/** REST v2 has a catalogue, for those accounts of it whose GraphQL is not there or does not answer. */
export const hasCatalogue = ({ dialect, capabilities }: Account): boolean =>
  dialect === 'v2' && !capabilities.includes('graphql');

/** `account` is null until the accounts are known. */
export function useGpuTypes(account: Account | null, gpuCount: number): LiveView<GpuRow[]> {
  const accountId = account?.id ?? '';
  const source =
    account === null || account.dialect === 'v1' ? 'graphql' : hasCatalogue(account) ? 'catalogue' : 'both';
  const query = useQuery(
    queryOptions({
      queryKey: [KEY, accountId, source, gpuCount],
      queryFn: async () => (account === null ? [] : sources[source](accountId, gpuCount, await memoryOf(account))),
      enabled: account !== null,
      refetchInterval: EVERY_MS,
      // Of the same account only: prices of another one are not what this one costs.
      placeholderData: (before, query) => (query?.queryKey[1] === accountId ? before : undefined),
      retry: false,
    }),
  );
  return useLiveView(query);
}
