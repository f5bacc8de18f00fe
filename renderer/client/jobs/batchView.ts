/** Which batch Run shows, and how: it stays while other pages are shown. */
import { create } from 'zustand';

/** Which rows of a batch are shown, and in which order. */
export interface BatchSight {
  onlyFailed: boolean;
  /** Null: the order of the list. */
  sort: { id: string; isUp: boolean } | null;
}

const wholeList: BatchSight = { onlyFailed: false, sort: null };

interface BatchViews {
  /** The id of the chosen batch by `keyOf` its endpoint; the newest one without a choice. */
  chosen: ReadonlyMap<string, string>;
  /** By the id of the batch. */
  sights: ReadonlyMap<string, BatchSight>;
}

export const useBatchViews = create<BatchViews>(() => ({ chosen: new Map(), sights: new Map() }));

const keyOf = (accountId: string, endpointId: string): string => JSON.stringify([accountId, endpointId]);

export const useChosenBatch = (accountId: string, endpointId: string): string | null =>
  useBatchViews(({ chosen }) => chosen.get(keyOf(accountId, endpointId)) ?? null);

export const chooseBatch = (accountId: string, endpointId: string, batchId: string): void =>
  useBatchViews.setState(({ chosen }) => ({ chosen: new Map(chosen).set(keyOf(accountId, endpointId), batchId) }));

export const useBatchSight = (batchId: string): BatchSight =>
  useBatchViews(({ sights }) => sights.get(batchId) ?? wholeList);

export const changeBatchSight = (batchId: string, change: Partial<BatchSight>): void =>
  useBatchViews.setState(({ sights }) => ({
    sights: new Map(sights).set(batchId, { ...(sights.get(batchId) ?? wholeList), ...change }),
  }));
