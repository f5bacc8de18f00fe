/** The field that finds endpoints in the list, for a list that is longer than it can be looked over. */
import { useRef, type KeyboardEvent } from 'react';
import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { create } from 'zustand';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useCommands } from '../../../state/commands.ts';
import styles from './filter.module.css';
import { t } from '../../../language/text.ts';

/** From so many endpoints on, the list has the field. */
const WORTH_A_FIELD = 10;

/** What is typed; it stays while other pages are shown. */
const useFilter = create<{ text: string }>(() => ({ text: '' }));
export const clearEndpointFilter = (): void => useFilter.setState({ text: '' });

export interface FilteredEndpoints {
  rows: EndpointRow[];
  isFiltered: boolean;
}

/** Those with each word of the text in their names, ids or sources; all of them where the list has no field. */
export function useFilteredEndpoints(rows: EndpointRow[]): FilteredEndpoints {
  const { text } = useFilter();
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0 || rows.length < WORTH_A_FIELD) return { rows, isFiltered: false };
  const textOf = ({ name, id, imageName }: EndpointRow) => [name, id, imageName ?? ''].join(' ').toLowerCase();
  return { rows: rows.filter((row) => words.every((word) => textOf(row).includes(word))), isFiltered: true };
}

export const EndpointFilter = ({ count }: { count: number }) => (count < WORTH_A_FIELD ? null : <Field />);

function Field() {
  const { text } = useFilter();
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ label: t`Find an endpoint`, keys: 'Mod+F', run: () => field.current?.focus() }]);
  const clear = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Escape' || text === '') return;
    // A step back of its own: the endpoint beside the list stays open.
    event.preventDefault();
    clearEndpointFilter();
  };
  return (
    <TextInput
      ref={field}
      size="xs"
      className={styles.field}
      role="searchbox"
      aria-label={t`Find an endpoint`}
      placeholder={t`Find an endpoint`}
      title={t`Searches names, ids, folders and images`}
      leftSection={<Search size={13} aria-hidden />}
      maxLength={200}
      value={text}
      onChange={(event) => useFilter.setState({ text: event.currentTarget.value })}
      onKeyDown={clear}
    />
  );
}
