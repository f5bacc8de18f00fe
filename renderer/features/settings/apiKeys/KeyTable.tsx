/** The keys of one engine as a table with actions. */
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
import { t } from '../../../language/text.ts';

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
      announce(disabled ? t`Disabled` : t`Enabled`);
      return apiKeysChanged();
    },
  });
  return (
    <>
      {able.isError && (
        <Notice tone="bad" title={t`${able.variables.name} was not changed.`}>
          {errorText(able.error)}
        </Notice>
      )}
      <div className={styles.tableScroll}>
        <PlainTable
          label={t`API keys`}
          className={styles.table}
          rows={records}
          keyOf={({ id }) => id}
          columns={[
            {
              title: t`Name`,
              isHeader: true,
              cell: (record) => (
                <>
                  {record.name} {record.disabled && <em className={pieces.chip} data-tone="off">{t`disabled`}</em>}
                  <span>{t`ends with ${record.last4}, created ${formatMoment(Date.parse(record.createdAt))}`}</span>
                  {mayBeOurs(account, record) && (
                    <span>{t`Hangar may be using this key for the account: it ends with the same characters.`}</span>
                  )}
                </>
              ),
            },
            {
              title: t`Permissions`,
              cellClass: styles.told,
              cell: (record) => (
                <>
                  {scopeWords[record.scope].title}
                  {record.scope === 'endpoints' && <span>{endpointNames(record, endpoints).join(', ')}</span>}
                </>
              ),
            },
            {
              title: t`Last used`,
              hint: ({ lastUsedAt }) => (lastUsedAt === null ? undefined : formatMoment(Date.parse(lastUsedAt))),
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? t`never` : formatAgo(Date.parse(lastUsedAt), now)),
            },
            {
              title: t`Actions`,
              isTitleHidden: true,
              cell: (record) => (
                <RowMenu
                  name={record.name}
                  items={[
                    { label: t`Change…`, icon: Pencil, onClick: () => onChange(record) },
                    {
                      label: record.disabled ? t`Enable` : t`Disable`,
                      icon: record.disabled ? Power : Ban,
                      onClick: () => able.mutate(record),
                    },
                    { label: t`Delete…`, icon: Trash2, onClick: () => onDelete(record) },
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
