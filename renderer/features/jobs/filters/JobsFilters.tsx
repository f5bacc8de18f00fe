/**
 * The filter of the list: a text and a menu that adds parts in the head of the page, and a row below it with a chip for
 * each saved filter and for each part.
 */
import { useEffect, useRef, useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Plus, Search, X } from 'lucide-react';
import { useAccounts } from '../../../client/accounts.ts';
import {
  isFiltered,
  noFilter,
  sourceFilters,
  stateFilters,
  timeFilters,
  useJobsFilter,
} from '../../../state/jobsFilter.ts';
import type { JobsFilter } from '../../../state/jobsFilter.ts';
import { useCommands } from '../../../state/commands.ts';
import { Popover } from '../../../ui/popover/Popover.tsx';
import { accountTitle } from '../../../ui/text/accountName.ts';
import { Strip } from '../../../ui/scroll/Strip.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { FilterForm, useEndpointNames } from './FilterForm.tsx';
import styles from './filters.module.css';
import { SavedChips } from './SavedChips.tsx';
import { hasSavedFilters, useSavedFilters } from './savedFilters.ts';
import { SavedFilters } from './SavedFilters.tsx';
import { rich, t } from '../../../language/text.ts';

const TYPING_MS = 200;

interface JobsFiltersProps {
  /** Null until the first answer. */
  counts: { matching: number; total: number; complete: boolean } | null;
}

export function JobsFilters({ counts }: JobsFiltersProps) {
  const filter = useJobsFilter();
  const [opened, setOpened] = useState(false);
  const tokens = useTokens(filter);
  const { list, isRead } = useSavedFilters();
  const hadSaved = hasSavedFilters.use();
  useEffect(() => {
    if (isRead) hasSavedFilters.set(list.length > 0);
  }, [isRead, list.length]);
  // The row of saved filters is there from the start, so that nothing moves when they come.
  const hasRow = tokens.length > 0 || list.length > 0 || (!isRead && hadSaved);
  return (
    <div className={styles.filters} role="search" aria-label={t`Filter the jobs`}>
      <div className={styles.fields}>
        <Popover opened={opened} onChange={setOpened} position="bottom-start" width={280} withinPortal={false}>
          <Popover.Target>
            <Button
              size="xs"
              variant="default"
              className={styles.add ?? ''}
              leftSection={<Plus size={12} aria-hidden />}
              aria-expanded={opened}
              onClick={() => setOpened(!opened)}
            >{t`Filter`}</Button>
          </Popover.Target>
          <Popover.Dropdown className={styles.form ?? ''}>
            <FilterForm filter={filter} />
            <SavedFilters filter={filter} onUse={() => setOpened(false)} />
          </Popover.Dropdown>
        </Popover>
        {/* Typing changes the filter later: only a filter that was cleared elsewhere empties the field. */}
        <TextFilter key={filter === noFilter ? 'cleared' : 'kept'} />
        {/* Without a row for it the list stays in its place while a person types. */}
        {!hasRow && isFiltered(filter) && <Matching counts={counts} />}
      </div>
      {hasRow && (
        <div className={styles.chosen}>
          <Strip className={styles.strip}>
            <div className={styles.tokens}>
              <SavedChips list={list} filter={filter} />
              {tokens.map((token) => (
                <TokenChip key={token.label} {...token} />
              ))}
            </div>
          </Strip>
          {isFiltered(filter) && <Matching counts={counts} />}
        </div>
      )}
    </div>
  );
}

/** The button that clears the filter, and how many jobs match it. */
const Matching = ({ counts }: JobsFiltersProps) => (
  <>
    <Button size="xs" variant="subtle" onClick={() => useJobsFilter.setState(noFilter, true)}>{t`Clear`}</Button>
    <span className={styles.matching} aria-live="polite">
      {counts && (
        <>
          {rich`${<b>{formatCount(counts.matching)}</b>} of ${formatCount(counts.total)}`}
          {!counts.complete && <span className={styles.searching}> {t`searching…`}</span>}
        </>
      )}
    </span>
  </>
);

interface Token {
  label: string;
  /** What its removal sets. */
  without: Partial<JobsFilter>;
}

function tokensOf(filter: JobsFilter, names: { account: (id: string) => string; endpoint: (id: string) => string }) {
  const { state, source, time, keyName, tag, accountId, endpointId, from, to } = filter;
  const tokens: Token[] = [];
  const range = [from, to].map((day) => (day === '' ? '…' : day)).join(' – ');
  if (time !== 'any') {
    const label = time === 'range' ? range : timeFilters[time].label;
    tokens.push({ label, without: { time: 'any', from: '', to: '' } });
  }
  if (state !== 'any') tokens.push({ label: stateFilters[state].label, without: { state: 'any' } });
  if (source !== 'any') tokens.push({ label: t`from: ${sourceFilters[source].label}`, without: { source: 'any' } });
  if (keyName !== null) tokens.push({ label: t`key: ${keyName}`, without: { keyName: null } });
  if (accountId !== null) {
    tokens.push({ label: names.account(accountId), without: { accountId: null, endpointId: null } });
  }
  if (endpointId !== null) tokens.push({ label: names.endpoint(endpointId), without: { endpointId: null } });
  if (tag !== null) tokens.push({ label: t`tag: ${tag}`, without: { tag: null } });
  return tokens;
}

function useTokens(filter: JobsFilter): Token[] {
  const accounts = useAccounts() ?? [];
  const endpoints = useEndpointNames(filter);
  return tokensOf(filter, {
    account: (id) => accountTitle(id, accounts.find((one) => one.id === id)?.name ?? id),
    endpoint: (id) => endpoints.find(({ value }) => value === id)?.label ?? id,
  });
}

const TokenChip = ({ label, without }: Token) => (
  <span className={styles.token}>
    {label}
    <button type="button" aria-label={t`Remove the filter "${label}"`} onClick={() => useJobsFilter.setState(without)}>
      <X size={12} aria-hidden />
    </button>
  </span>
);

function TextFilter() {
  const [text, setText] = useState(() => useJobsFilter.getState().text);
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ label: t`Find in jobs`, keys: 'Mod+F', run: () => field.current?.focus() }]);
  useEffect(() => {
    if (settled !== useJobsFilter.getState().text) useJobsFilter.setState({ text: settled });
  }, [settled]);
  return (
    <TextInput
      ref={field}
      size="xs"
      aria-label={t`Text`}
      className={styles.text}
      placeholder={t`Find in jobs`}
      title={t`Searches ids, endpoints, tags, errors, inputs, outputs, programs and key names. Words may stand anywhere; "quotes" keep them together.`}
      leftSection={<Search size={13} aria-hidden />}
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
