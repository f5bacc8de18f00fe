/** Filters with names: used by a click, saved from what is set, and removed. */
import { useState } from 'react';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import {
  dropFilter,
  isFiltered,
  saveFilter,
  savedFilters,
  useJobsFilter,
  type JobsFilter,
} from '../../../state/jobsFilter.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { offerUndo } from '../../../ui/undo/offerUndo.tsx';
import styles from './filters.module.css';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

export function SavedFilters({ filter, onUse }: { filter: JobsFilter; onUse: () => void }) {
  const saved = savedFilters.use();
  const [name, setName] = useState('');
  const wanted = name.trim();
  const save = () => {
    saveFilter(wanted, filter);
    setName('');
    announce(t`Saved the filter ${wanted}`);
  };
  return (
    <div className={styles.saved}>
      {saved.length > 0 && (
        <ul aria-label={t`Saved filters`}>
          {saved.map((one) => (
            <li key={one.name}>
              <Button
                size="xs"
                variant="subtle"
                onClick={() => {
                  // A new key of the text field makes it show the saved text.
                  useJobsFilter.setState({ ...one.filter, timeChosenAt: Date.now() });
                  onUse();
                }}
              >
                {one.name}
              </Button>
              <ActionIcon
                size={22}
                aria-label={t`Remove the saved filter ${one.name}`}
                onClick={() => {
                  const before = savedFilters.get();
                  dropFilter(one.name);
                  offerUndo(t`Removed the filter ${one.name}`, () => void savedFilters.set(before));
                }}
              >
                <X size={12} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <form
        className={styles.save}
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== '' && isFiltered(filter)) save();
        }}
      >
        <TextInput
          size="xs"
          aria-label={t`Name of the filter`}
          placeholder={isFiltered(filter) ? t`Save this filter as…` : t`Set a filter to save it`}
          disabled={!isFiltered(filter)}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ReasonButton
          size="xs"
          variant="default"
          type="submit"
          whyNot={!isFiltered(filter) ? t`Set a filter to save it` : wanted === '' ? t`Type a name first.` : null}
        >{t`Save`}</ReasonButton>
      </form>
    </div>
  );
}
