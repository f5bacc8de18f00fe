/** The keys of one engine in a table, each with what can be done about it. */
import { VisuallyHidden } from '@mantine/core';
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
        <table className={styles.table} aria-label="API keys">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">May do</th>
              <th scope="col">Last used</th>
              <th scope="col">
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <tr key={record.id}>
                <th scope="row">
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
                </th>
                <td className={styles.told}>
                  {scopeWords[record.scope].title}
                  {record.scope === 'endpoints' && <span>{endpointNames(record, endpoints).join(', ')}</span>}
                </td>
                <td title={record.lastUsedAt === null ? undefined : formatMoment(Date.parse(record.lastUsedAt))}>
                  {record.lastUsedAt === null ? 'never' : lastUse(Date.parse(record.lastUsedAt), now)}
                </td>
                <td>
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
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function lastUse(at: number, now: number): string {
  const ago = formatAgo(at, now);
  return ago === 'now' ? 'just now' : `${ago} ago`;
}
