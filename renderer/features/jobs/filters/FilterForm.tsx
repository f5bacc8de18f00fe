/** The parts of a filter as fields. */
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { keysOf } from '#contract/core/keysOf.ts';
import { useAccounts } from '../../../client/accounts.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { sourceFilters, stateFilters, timeFilters, useJobsFilter, type JobsFilter } from '../../../state/jobsFilter.ts';
import { targetAccount } from '../../../state/selection.ts';
import { accountTitle } from '../../../ui/text/accountName.ts';
import styles from './filters.module.css';
import { t } from '../../../language/text.ts';

const ANY = '';
/** The list opens inside of the form, so that a choice in it does not close the form. */
const inForm = { withinPortal: false } as const;

const choices = <Name extends string>(from: Record<Name, { label: string }>) =>
  keysOf(from).map((value) => ({ value, label: from[value].label }));

/** The endpoints of the account that the filter names, or of the target. */
export function useEndpointNames({ accountId }: Pick<JobsFilter, 'accountId'>): { value: string; label: string }[] {
  const target = targetAccount.use();
  const endpoints = useQuery(orpc.endpoints.list.queryOptions({ input: { accountId: accountId ?? target } }));
  return (endpoints.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

export function FilterForm({ filter }: { filter: JobsFilter }) {
  const accounts = useAccounts() ?? [];
  const names = useEndpointNames(filter);
  const tags = useQuery(orpc.jobs.tags.queryOptions()).data ?? [];
  const keys = useQuery(orpc.jobs.keyNames.queryOptions()).data ?? [];
  return (
    <>
      <Select
        label={t`State`}
        size="xs"
        comboboxProps={inForm}
        data={choices(stateFilters)}
        value={filter.state}
        allowDeselect={false}
        onChange={(state) => state !== null && useJobsFilter.setState({ state })}
      />
      <Select
        label={t`Time`}
        size="xs"
        comboboxProps={inForm}
        data={choices(timeFilters)}
        value={filter.time}
        allowDeselect={false}
        onChange={(time) => time !== null && useJobsFilter.setState({ time, timeChosenAt: Date.now() })}
      />
      {filter.time === 'range' && (
        <div className={styles.days}>
          <Day
            label={t`From`}
            title={t`The first day (optional)`}
            day={filter.from}
            problem={null}
            onChange={(from) => useJobsFilter.setState({ from })}
          />
          <Day
            label={t`To`}
            title={t`The last day (optional)`}
            day={filter.to}
            problem={filter.to !== '' && filter.to < filter.from ? t`The end is before the start` : null}
            onChange={(to) => useJobsFilter.setState({ to })}
          />
        </div>
      )}
      <Select
        label={t`Source`}
        size="xs"
        comboboxProps={inForm}
        data={choices(sourceFilters)}
        value={filter.source}
        allowDeselect={false}
        onChange={(source) => source !== null && useJobsFilter.setState({ source })}
      />
      {keys.length > 0 && (
        <Select
          label={t`API key`}
          size="xs"
          comboboxProps={inForm}
          data={[{ value: ANY, label: t`Any key` }, ...keys.map((name) => ({ value: name, label: name }))]}
          value={filter.keyName ?? ANY}
          allowDeselect={false}
          onChange={(name) => useJobsFilter.setState({ keyName: name === ANY ? null : name })}
        />
      )}
      {accounts.length > 1 && (
        <Select
          label={t`Account`}
          size="xs"
          comboboxProps={inForm}
          data={[
            { value: ANY, label: t`Any account` },
            ...accounts.map(({ id, name }) => ({ value: id, label: accountTitle(id, name) })),
          ]}
          value={filter.accountId ?? ANY}
          allowDeselect={false}
          onChange={(id) => useJobsFilter.setState({ accountId: id === ANY ? null : id, endpointId: null })}
        />
      )}
      <Select
        label={t`Endpoint`}
        size="xs"
        comboboxProps={inForm}
        data={[{ value: ANY, label: t`Any endpoint` }, ...names]}
        value={filter.endpointId ?? ANY}
        allowDeselect={false}
        onChange={(id) => useJobsFilter.setState({ endpointId: id === ANY ? null : id })}
      />
      {tags.length > 0 && (
        <Select
          label={t`Tag`}
          size="xs"
          comboboxProps={inForm}
          data={[{ value: ANY, label: t`Any tag` }, ...tags.map((tag) => ({ value: tag, label: tag }))]}
          value={filter.tag ?? ANY}
          allowDeselect={false}
          onChange={(tag) => useJobsFilter.setState({ tag: tag === ANY ? null : tag })}
        />
      )}
    </>
  );
}

interface DayProps {
  label: string;
  title: string;
  day: string;
  problem: string | null;
  onChange: (day: string) => void;
}

function Day({ label, title, day, problem, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      size="xs"
      title={problem ?? title}
      max="9999-12-31"
      value={day}
      error={problem !== null}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
