/** The keys that Hangar sends to other accounts. Each is changed on the page of its account. */
import { Anchor, Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { useAccounts } from '../../../client/accounts.ts';
import { showNewAccount } from '../../../state/overlays.ts';
import { navigate } from '../../../state/route.ts';
import { formatRoute } from '../../../state/routePath.ts';
import { PlainTable } from '../../../ui/primitives/PlainTable.tsx';
import { formatMoment } from '../../../ui/text/format.ts';
import { keyPlaces } from '../../../ui/text/keyLabels.ts';
import styles from '../settings.module.css';
import { t } from '../../../language/text.ts';

const addAccount = (): void => {
  navigate({ page: 'accounts', accountId: null });
  showNewAccount(true);
};

export function AccountKeys() {
  const others = useAccounts()?.filter(({ id }) => id !== THIS_MACHINE) ?? [];
  return (
    <section className={styles.block} aria-labelledby="account-keys">
      <div className={styles.blockHead}>
        <h2 id="account-keys">{t`Account keys`}</h2>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={addAccount}
        >{t`Add an account`}</Button>
      </div>
      <p>{t`Hangar sends these to clouds and to engines on other machines. To replace one, open its account.`}</p>
      {others.length === 0 ? (
        <p>{t`There are no other accounts yet.`}</p>
      ) : (
        <div className={styles.tableScroll}>
          <PlainTable
            label={t`Account keys`}
            className={styles.table}
            rows={others}
            keyOf={({ id }) => id}
            columns={[
              {
                title: t`Account`,
                isHeader: true,
                cell: ({ id, name, key }) => (
                  <>
                    <Anchor fz="sm" href={formatRoute({ page: 'accounts', accountId: id })}>
                      {name}
                    </Anchor>
                    <span>
                      {key === null ? t`has no key` : t`ends with ${key.last4}, added ${formatMoment(key.addedAt)}`}
                    </span>
                  </>
                ),
              },
              {
                title: t`Stored in`,
                cellClass: styles.told,
                cell: ({ key }) => (key === null ? '–' : keyPlaces[key.keptIn]),
              },
            ]}
          />
        </div>
      )}
    </section>
  );
}
