/** The filters of the ledger, and how much they leave. */
import { useEffect, useState, type ReactNode } from 'react';
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useAccounts } from '../../client/accounts.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { isFiltered, noFilter, stateFilters, timeFilters, useJobsFilter } from '../../state/jobsFilter.ts';
import { useSelection } from '../../state/selection.ts';
import { accountTitle } from '../../ui/text/accountName.ts';
import { formatCount } from '../../ui/text/format.ts';
import styles from './jobs.module.css';

const TYPING_MS = 200;
const ANY = '';

const choices = <Name extends string>(from: Record<Name, { label: string }>) =>
  (Object.keys(from) as Name[]).map((value) => ({ value, label: from[value].label }));

interface JobsFiltersProps {
  /** Null until the first answer. */
  counts: { matching: number; total: number; complete: boolean } | null;
  children?: ReactNode;
}

export function JobsFilters({ counts, children }: JobsFiltersProps) {
  const filter = useJobsFilter();
  const accounts = useAccounts() ?? [];
  const target = useSelection((selection) => selection.accountId);
  const accountId = filter.accountId ?? target;
  const endpoints = useQuery(orpc.endpoints.list.queryOptions({ input: { accountId } }));
  const names = (endpoints.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className={styles.filters} role="search" aria-label="Filter the jobs">
      <Select
        aria-label="State"
        className={styles.select}
        data={choices(stateFilters)}
        value={filter.state}
        allowDeselect={false}
        onChange={(state) => state !== null && useJobsFilter.setState({ state })}
      />
      {accounts.length > 1 && (
        <Select
          aria-label="Account"
          className={styles.select}
          data={[
            { value: ANY, label: 'Any account' },
            ...accounts.map(({ id, name }) => ({ value: id, label: accountTitle(id, name) })),
          ]}
          value={filter.accountId ?? ANY}
          allowDeselect={false}
          onChange={(id) => useJobsFilter.setState({ accountId: id === ANY ? null : id, endpointId: null })}
        />
      )}
      <Select
        aria-label="Endpoint"
        className={styles.selectWide}
        data={[{ value: ANY, label: 'Any endpoint' }, ...names]}
        value={filter.endpointId ?? ANY}
        allowDeselect={false}
        onChange={(id) => useJobsFilter.setState({ endpointId: id === ANY ? null : id })}
      />
      <Select
        aria-label="Time"
        className={styles.select}
        data={choices(timeFilters)}
        value={filter.time}
        allowDeselect={false}
        onChange={(time) => time !== null && useJobsFilter.setState({ time, timeChosenAt: Date.now() })}
      />
      {filter.time === 'range' && (
        <>
          <Day label="From" day={filter.from} problem={null} onChange={(from) => useJobsFilter.setState({ from })} />
          <Day
            label="To"
            day={filter.to}
            problem={filter.to !== '' && filter.to < filter.from ? 'It ends before it begins' : null}
            onChange={(to) => useJobsFilter.setState({ to })}
          />
        </>
      )}
      <TextFilter key={filter === noFilter ? 'cleared' : 'kept'} />
      {isFiltered(filter) && (
        <Button size="xs" variant="default" onClick={() => useJobsFilter.setState(noFilter, true)}>
          Clear
        </Button>
      )}
      <span className={styles.counts} aria-live="polite">
        {counts && (
          <>
            <b>{formatCount(counts.matching)}</b> of {formatCount(counts.total)}
            {!counts.complete && ', searching…'}
          </>
        )}
      </span>
      {children}
    </div>
  );
}

interface DayProps {
  label: string;
  day: string;
  problem: string | null;
  onChange: (day: string) => void;
}

function Day({ label, day, problem, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      title={problem ?? `${label === 'From' ? 'The first' : 'The last'} day; it may be left open`}
      className={styles.day}
      max="9999-12-31"
      value={day}
      error={problem !== null}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function TextFilter() {
  const [text, setText] = useState(() => useJobsFilter.getState().text);
  const [settled] = useDebouncedValue(text, TYPING_MS);
  useEffect(() => {
    if (settled !== useJobsFilter.getState().text) useJobsFilter.setState({ text: settled });
  }, [settled]);
  return (
    <TextInput
      aria-label="Text"
      className={styles.text}
      placeholder="Job id, endpoint, error, input, output"
      leftSection={<Search size={13} aria-hidden />}
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
