/** Filters with names: used by a click, saved from what is set, and removed. */
import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useWhyNotNow } from '../../../client/away.ts';
import { removeDocument, saveDocument } from '../../../client/saved/savedStore.ts';
import { isFiltered, type JobsFilter } from '../../../state/jobsFilter.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { offerUndo } from '../../../ui/undo/offerUndo.tsx';
import { NotDone, SavedState } from '../../../ui/saved/SavedState.tsx';
import styles from './filters.module.css';
import { applySaved, FILTERS, filterText, useSavedFilters, type SavedFilter } from './savedFilters.ts';
import { ReasonField } from '../../../ui/popover/ReasonField.tsx';
import { ReasonButton, ReasonIcon } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

export function SavedFilters({ filter, onUse }: { filter: JobsFilter; onUse: () => void }) {
  const { list, ...reading } = useSavedFilters();
  const [name, setName] = useState('');
  const whyNotNow = useWhyNotNow('app');
  const wanted = name.trim();
  const save = useMutation({
    mutationFn: () => saveDocument({ ...FILTERS, name: wanted }, filterText(filter)),
    onSuccess: () => {
      setName('');
      announce(t`Saved the filter ${wanted}`);
    },
  });
  const restore = useMutation({
    mutationFn: (one: SavedFilter) => saveDocument({ ...FILTERS, name: one.name }, one.text),
  });
  const remove = useMutation({
    mutationFn: (one: SavedFilter) => removeDocument({ ...FILTERS, name: one.name }),
    onSuccess: (_, one) => offerUndo(t`Removed the filter ${one.name}`, () => restore.mutate(one)),
  });
  const isSet = isFiltered(filter);
  const whyNot = !isSet ? t`Set a filter to save it` : (whyNotNow ?? (wanted === '' ? t`Enter a name first.` : null));
  return (
    <div className={styles.saved}>
      <SavedState {...reading} />
      {list.length > 0 && (
        <ul aria-label={t`Saved filters`}>
          {list.map((one) => (
            <li key={one.name}>
              <Button
                size="xs"
                variant="subtle"
                onClick={() => {
                  applySaved(one);
                  onUse();
                }}
              >
                {one.name}
              </Button>
              <ReasonIcon
                size={22}
                aria-label={t`Remove the saved filter ${one.name}`}
                whyNot={whyNotNow}
                onClick={() => remove.mutate(one)}
              >
                <X size={12} aria-hidden />
              </ReasonIcon>
            </li>
          ))}
        </ul>
      )}
      <NotDone action={t`Not removed:`} error={remove.error} />
      <NotDone action={t`Not put back:`} error={restore.error} />
      <form
        className={styles.save}
        onSubmit={(event) => {
          event.preventDefault();
          if (whyNot === null && !save.isPending) save.mutate();
        }}
      >
        <ReasonField whyNot={isSet ? null : t`Set a filter to save it.`}>
          <TextInput
            size="xs"
            aria-label={t`Name of the filter`}
            placeholder={t`Save this filter as…`}
            maxLength={60}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              if (save.isError) save.reset();
            }}
          />
        </ReasonField>
        <ReasonButton
          size="xs"
          variant="default"
          type="submit"
          loading={save.isPending}
          whyNot={whyNot}
        >{t`Save`}</ReasonButton>
      </form>
      <NotDone action={t`Not saved:`} error={save.error} />
    </div>
  );
}
