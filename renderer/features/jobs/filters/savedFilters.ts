/** Filters that a person saved under a name. The app keeps them. */
import { useMemo } from 'react';
import * as z from 'zod';
import { placeAt, useSaved, type SavedList } from '../../../client/saved/savedStore.ts';
import { savedFilterSchema, useJobsFilter, type JobsFilter } from '../../../state/jobsFilter.ts';
import { asJson, personalSetting } from '../../../state/personalSetting.ts';

export const FILTERS = placeAt('filter', '');

/** Whether the page had saved filters when it last read them. */
export const hasSavedFilters = personalSetting('jobs.has-saved-filters', asJson(z.boolean()), false);

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

/** Sets a saved filter. Its period begins now. */
export const applySaved = ({ filter }: SavedFilter): void =>
  useJobsFilter.setState({ ...filter, timeChosenAt: Date.now() });
