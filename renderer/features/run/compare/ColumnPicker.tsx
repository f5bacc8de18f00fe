/** Adds columns to a comparison: for an endpoint of any account, also for one that has a column already. */
import { useRef, useState } from 'react';
import { Select } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { ReasonField } from '../../../ui/popover/ReasonField.tsx';
import { accountTitle } from '../../../ui/text/accountName.ts';
import { MOST_COLUMNS, placeKey, type NamedPlace } from './comparison.ts';
import { t } from '../../../language/text.ts';

interface ColumnPickerProps {
  accounts: readonly Account[];
  isFull: boolean;
  onPick: (place: NamedPlace) => void;
}

export function ColumnPicker({ accounts, isFull, onPick }: ColumnPickerProps) {
  const receivers = accounts.filter(({ capabilities }) => capabilities.includes('jobs'));
  const lists = useQueries({
    queries: receivers.map(({ id }) => orpc.endpoints.list.queryOptions({ input: { accountId: id }, retry: false })),
  });
  const groups = receivers.map(({ id, name }, index) => ({
    group: accountTitle(id, name),
    items: (lists[index]?.data ?? []).map((endpoint) => ({
      value: placeKey({ accountId: id, endpointId: endpoint.id }),
      label: endpoint.available ? endpoint.name : t`${endpoint.name} (cannot run there)`,
      disabled: !endpoint.available,
    })),
  }));
  const field = useRef<HTMLInputElement>(null);
  useCommands([!isFull && { label: t`Add a column`, run: () => field.current?.focus() }]);
  const unread = receivers.filter((_, index) => lists[index]?.isError).map(({ id, name }) => accountTitle(id, name));
  const [search, setSearch] = useState('');
  const add = (value: string | null) => {
    // After the field has taken the name of the endpoint as its text.
    queueMicrotask(() => setSearch(''));
    for (const [index, { id: accountId }] of receivers.entries()) {
      const endpoint = lists[index]?.data?.find(({ id }) => placeKey({ accountId, endpointId: id }) === value);
      if (endpoint) onPick({ accountId, endpointId: endpoint.id, endpointName: endpoint.name });
    }
  };
  return (
    <ReasonField
      whyNot={isFull ? t`A comparison has at most ${MOST_COLUMNS} columns` : null}
      hint={unread.length > 0 ? t`Not read: ${unread.join(', ')}` : undefined}
    >
      <Select
        ref={field}
        aria-label={t`Add a column`}
        placeholder={t`Add a column`}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        w={210}
        data={groups.filter(({ items }) => items.length > 0)}
        value={null}
        onChange={add}
        nothingFoundMessage={t`No endpoint name contains this`}
      />
    </ReasonField>
  );
}
