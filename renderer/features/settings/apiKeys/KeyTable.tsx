/** The keys of one engine in a table, each with what can be done about it. */
import { useMutation } from '@tanstack/react-query';
import { Ban, Pencil, Power, Trash2 } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import type { ApiKeyRecord } from '#contract/local/engine.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { formatAgo, formatMoment } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import pieces from '../../../ui/theme/pieces.module.css';
import { RowMenu } from '../../../ui/primitives/RowMenu.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import styles from '../settings.module.css';
import { PlainTable } from '../../../ui/primitives/PlainTable.tsx';
import { endpointNames, mayBeOurs, scopeWords } from './keyScopes.ts';
import { apiKeysChanged, useEndpointsToChoose } from './useApiKeys.ts';

const TICK_MS = 15_000;

interface KeyTableProps {
  account: Account;
  records: readonly ApiKeyRecord[];
  onChange: (record: ApiKeyRecord) => void;
  onDelete: (record: ApiKeyRecord) => void;
}

export function KeyTable({ account, records, onChange, onDelete }: KeyTableProps) {
  const now = useNow(TICK_MS);
  const endpoints = useEndpointsToChoose(account.id);
  const able = useMutation({
    mutationFn: ({ id, disabled }: ApiKeyRecord) =>
      api.apiKeys.update({ accountId: account.id, id, change: { disabled: !disabled } }),
    onSuccess: ({ disabled }) => {
      announce(disabled ? 'Disabled' : 'Enabled');
      return apiKeysChanged();
    },
  });
  return (
    <>
      {able.isError && (
        <Notice tone="bad" title={`${able.variables.name} is as it was.`}>
          {errorText(able.error)}
        </Notice>
      )}
      <div className={styles.tableScroll}>
        <PlainTable
          label="API keys"
          className={styles.table}
          rows={records}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Name',
              isHeader: true,
              cell: (record) => (
                <>
                  {record.name}{' '}
                  {record.disabled && (
                    <em className={pieces.chip} data-tone="off">
                      disabled
                    </em>
                  )}
                  <span>
                    ends with {record.last4}, made {formatMoment(Date.parse(record.createdAt))}
                  </span>
                  {mayBeOurs(account, record) && (
                    <span>Hangar reaches this account with a key that ends the same.</span>
                  )}
                </>
              ),
            },
            {
              title: 'May do',
              cellClass: styles.told,
              cell: (record) => (
                <>
                  {scopeWords[record.scope].title}
                  {record.scope === 'endpoints' && <span>{endpointNames(record, endpoints).join(', ')}</span>}
                </>
              ),
            },
            {
              title: 'Last used',
              hint: ({ lastUsedAt }) => (lastUsedAt === null ? undefined : formatMoment(Date.parse(lastUsedAt))),
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : lastUse(Date.parse(lastUsedAt), now)),
            },
            {
              title: 'Actions',
              isTitleHidden: true,
              cell: (record) => (
                <RowMenu
                  name={record.name}
                  items={[
                    { label: 'Change…', icon: Pencil, onClick: () => onChange(record) },
                    {
                      label: record.disabled ? 'Enable' : 'Disable',
                      icon: record.disabled ? Power : Ban,
                      onClick: () => able.mutate(record),
                    },
                    { label: 'Delete…', icon: Trash2, onClick: () => onDelete(record) },
                  ]}
                />
              ),
            },
          ]}
        />
      </div>
    </>
  );
}

function lastUse(at: number, now: number): string {
  const ago = formatAgo(at, now);
  return ago === 'now' ? 'just now' : `${ago} ago`;
}
