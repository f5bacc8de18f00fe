/** The saved filters, each used by one click. The one that is set is marked, and clears the filter. */
import { Bookmark } from 'lucide-react';
import { noFilter, useJobsFilter, type JobsFilter } from '../../../state/jobsFilter.ts';
import { applySaved, filterText, type SavedFilter } from './savedFilters.ts';
import styles from './filters.module.css';
import { t } from '../../../language/text.ts';

export function SavedChips({ list, filter }: { list: readonly SavedFilter[]; filter: JobsFilter }) {
  if (list.length === 0) return null;
  const current = filterText(filter);
  return (
    <div className={styles.savedChips} role="group" aria-label={t`Saved filters`}>
      {list.map((one) => {
        const isSet = filterText({ ...one.filter, timeChosenAt: 0 }) === current;
        return (
          <button
            key={one.name}
            type="button"
            aria-pressed={isSet}
            title={isSet ? t`Clear this filter` : t`Use this saved filter`}
            onClick={() => (isSet ? useJobsFilter.setState(noFilter, true) : applySaved(one))}
          >
            <Bookmark size={12} aria-hidden />
            {one.name}
          </button>
        );
      })}
    </div>
  );
}
