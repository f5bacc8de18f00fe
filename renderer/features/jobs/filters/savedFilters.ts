/** Filters that a person saved under a name. The app keeps them. */
import { useMemo } from 'react';
import { placeAt, useSaved, type SavedList } from '../../../client/saved/savedStore.ts';
import { savedFilterSchema, type JobsFilter } from '../../../state/jobsFilter.ts';

export const FILTERS = placeAt('filter', '');

export interface SavedFilter {
  name: string;
  /** As it is stored. */
  text: string;
  filter: Omit<JobsFilter, 'timeChosenAt'>;
}

/** In the order of their names; `useSavedFeed(FILTERS)` reads them. */
export function useSavedFilters(): Omit<SavedList, 'list'> & { list: readonly SavedFilter[] } {
  const { list, ...reading } = useSaved(FILTERS);
  const filters = useMemo(
    () =>
      list.flatMap(({ name, text }): SavedFilter[] => {
        const { data } = savedFilterSchema.safeDecode(text);
        // A filter of a newer version stays in Settings, Storage.
        return data === undefined ? [] : [{ name, text, filter: data }];
      }),
    [list],
  );
  return { list: filters, ...reading };
}

export const filterText = ({ timeChosenAt: _, ...filter }: JobsFilter): string => savedFilterSchema.encode(filter);
