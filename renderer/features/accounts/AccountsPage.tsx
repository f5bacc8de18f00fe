/** The Accounts page: all accounts, their capabilities and their keys. */
import { Button, Kbd, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import { useAccounts } from '../../client/accounts.ts';
import { useAway } from '../../client/away.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { useBackStep } from '../../state/backStep.ts';
import { useCommands } from '../../state/commands.ts';
import { showNewAccount } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { AccountChip } from '../../ui/domain/AccountChip.tsx';
import { accountTitle } from '../../ui/text/accountName.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatAgo, formatCount } from '../../ui/text/format.ts';
import { DataGrid, type GridColumn } from '../../ui/primitives/DataGrid.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import page from '../../ui/theme/page.module.css';
import { Panes } from '../../ui/primitives/SplitPane.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import styles from './accounts.module.css';
import { Inspector } from './Inspector.tsx';
import { NewAccountSheet } from './NewAccountSheet.tsx';
import { t } from '../../language/text.ts';

const close = () => navigate({ page: 'accounts', accountId: null });
const open = (accountId: string) => navigate({ page: 'accounts', accountId });

const TICK_MS = 15_000;

interface AccountsPageProps {
  accountId: string | null;
  asks?: 'key';
}

export default function AccountsPage({ accountId, asks }: AccountsPageProps) {
  const accounts = useAccounts();
  const failure = useQuery(orpc.accounts.list.queryOptions({ staleTime: Infinity }));
  const now = useNow(TICK_MS);
  const chosen = accounts?.find(({ id }) => id === accountId);
  useBackStep(accountId !== null, close);
  useCommands([
    { label: t`Add an account`, keys: 'N', run: () => showNewAccount(true) },
    accountId !== null && { label: t`Close the account`, keys: 'Esc', run: close },
  ]);

  // What the states are now is not known then.
  const isAway = useAway('app') !== null;
  const columns: readonly GridColumn<Account>[] = [
    {
      title: t`Name`,
      cell: ({ id, name, kind }) => (
        <span className={styles.name}>
          <b title={name}>{accountTitle(id, name)}</b>
          {kind === 'cloud' && <em>{t`costs money`}</em>}
        </span>
      ),
    },
    { title: t`State`, isState: true, cell: ({ state, reason }) => <AccountChip state={state} reason={reason} /> },
    { title: t`Key`, cell: ({ key }) => (key === null ? '–' : `…${key.last4}`) },
    { title: t`Used`, cell: ({ lastUsedAt }) => (lastUsedAt === null ? '–' : formatAgo(lastUsedAt, now)) },
  ];

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        {accounts && <span className={page.count}>{formatCount(accounts.length)}</span>}
        <Button
          className={page.create ?? ''}
          leftSection={<Plus size={14} aria-hidden />}
          rightSection={<Kbd>N</Kbd>}
          onClick={() => showNewAccount(true)}
        >{t`Add an account`}</Button>
      </header>
      <Panes
        place="accounts"
        leftSize="46%"
        whenNarrow="replace"
        left={
          <Card grow aria-label={t`List of accounts`} role="region" data-alone={accounts?.length === 1 || undefined}>
            {!accounts && !failure.isError && <Skeleton h={12} w="60%" radius={4} m={14} />}
            {!accounts && failure.isError && (
              <Empty
                tone="bad"
                title={t`The accounts could not be read`}
                action={<Button onClick={() => void failure.refetch()}>{t`Try again`}</Button>}
              >
                {errorText(failure.error)}
              </Empty>
            )}
            {accounts && (
              <DataGrid
                label={t`Accounts`}
                place="account"
                columns={columns}
                rows={accounts}
                idOf={({ id }) => id}
                columnsClass={styles.columns}
                stale={isAway}
                openId={accountId}
                onOpen={open}
                onClose={close}
              />
            )}
            {accounts?.length === 1 && (
              <Empty
                title={t`Only this computer so far`}
                action={
                  <Button
                    variant="default"
                    onClick={() => showNewAccount(true)}
                  >{t`Add a cloud or another machine`}</Button>
                }
              >{t`The same jobs run on an account of a cloud, or on Hangar on another machine. You choose the target in the title bar.`}</Empty>
            )}
          </Card>
        }
        right={
          accountId === null || !accounts ? null : chosen ? (
            <Inspector key={chosen.id} account={chosen} asksKey={asks === 'key'} onClose={close} />
          ) : (
            <Card grow aria-label={t`Account`} role="region">
              <Empty
                title={t`Account not found`}
                action={<Button onClick={close}>{t`Show all accounts`}</Button>}
              >{t`It was removed.`}</Empty>
            </Card>
          )
        }
      />
      <NewAccountSheet onAdded={open} />
    </div>
  );
}
