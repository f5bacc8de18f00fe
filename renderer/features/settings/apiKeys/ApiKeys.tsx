/** The API keys of an engine: permissions, last use and actions. */
import { useEffect, useState } from 'react';
import { Button, Group, Kbd, Skeleton } from '@mantine/core';
import { Plus } from 'lucide-react';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { ApiKeyRecord } from '#contract/local/engine.ts';
import { useAccounts, useTarget } from '../../../client/accounts.ts';
import { useCommands } from '../../../state/commands.ts';
import { showNewApiKey, useOverlays } from '../../../state/overlays.ts';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { accountInSentence } from '../../../ui/text/accountName.ts';
import { StaleNotice } from '../../../ui/domain/StaleNotice.tsx';
import styles from '../settings.module.css';
import { DeleteKeyDialog, KeyDialog } from './keyDialogs.tsx';
import { KeyTable } from './KeyTable.tsx';
import { PairDialog } from './PairDialog.tsx';
import { useApiKeys } from './useApiKeys.ts';
import { t } from '../../../language/text.ts';

/**
 * The keys of the target, or of this computer while the target is a cloud: only an engine of Hangar creates keys
 * through its API.
 */
export function ApiKeys() {
  const { account: target } = useTarget();
  const here = useAccounts()?.find(({ id }) => id === THIS_MACHINE);
  const account = target?.kind === 'engine' ? target : here;
  if (account === undefined) return <Skeleton aria-busy h={40} m={14} radius={6} w="auto" />;
  return <Keys key={account.id} account={account} name={accountInSentence(account.id, account.name)} />;
}

type Asking = { readonly what: 'pair' } | { readonly what: 'change' | 'delete'; readonly record: ApiKeyRecord };

function Keys({ account, name }: { account: Account; name: string }) {
  const { now, at, problem, retry } = useApiKeys(account.id);
  const [asking, setAsking] = useState<Asking | null>(null);
  // The palette opens it from every page.
  const isNew = useOverlays((overlays) => overlays.newApiKey);
  // Not on the page that a person comes back to.
  useEffect(() => () => showNewApiKey(false), []);
  const done = () => {
    setAsking(null);
    showNewApiKey(false);
  };
  const create = () => showNewApiKey(true);
  const pair = () => setAsking({ what: 'pair' });
  useCommands([
    { label: t`New API key for ${name}`, keys: 'N', run: create },
    { label: t`Pair another computer with ${name}`, run: pair },
  ]);
  const begin = (
    <Button
      size="xs"
      leftSection={<Plus size={14} aria-hidden />}
      rightSection={<Kbd aria-hidden>N</Kbd>}
      onClick={create}
    >{t`New key`}</Button>
  );
  if (now === undefined && problem !== null) {
    return (
      <section className={styles.block} aria-labelledby="api-keys">
        <h2 id="api-keys">{t`API keys of ${name}`}</h2>
        <LoadError
          source={{ accountId: account.id }}
          title={t`The keys could not be read`}
          problem={problem}
          retry={retry}
        />
      </section>
    );
  }
  return (
    <>
      <section className={styles.block} aria-labelledby="api-keys" aria-busy={now === undefined}>
        <div className={styles.blockHead}>
          <h2 id="api-keys">{t`API keys of ${name}`}</h2>
          <Group gap={8}>
            <Button size="xs" variant="default" onClick={pair}>{t`Pair another computer`}</Button>
            {begin}
          </Group>
        </div>
        <p>
          {account.id === THIS_MACHINE
            ? t`Scripts and other computers send a key with each request to this computer. Hangar itself needs none. Only a hash of each key is stored, so a key is shown only once.`
            : t`Scripts and other computers send a key with each request to ${name}. Only a hash of each key is stored, so a key is shown only once.`}
        </p>
        {now !== undefined && problem !== null && (
          <StaleNotice
            source={{ accountId: account.id }}
            at={at}
            problem={problem}
            retry={retry}
          >{t`This is the last known list.`}</StaleNotice>
        )}
        {now === undefined && <Skeleton h={40} m={14} radius={6} w="auto" />}
        {now?.length === 0 && <p>{t`There are no keys for ${name} yet.`}</p>}
        {now !== undefined && now.length > 0 && (
          <KeyTable
            account={account}
            records={now}
            onChange={(record) => setAsking({ what: 'change', record })}
            onDelete={(record) => setAsking({ what: 'delete', record })}
          />
        )}
      </section>
      <KeyDialog
        account={account}
        name={name}
        opened={isNew || asking?.what === 'change'}
        record={asking?.what === 'change' ? asking.record : null}
        onClose={done}
      />
      <PairDialog account={account} name={name} opened={asking?.what === 'pair'} onClose={done} />
      <DeleteKeyDialog account={account} record={asking?.what === 'delete' ? asking.record : null} onClose={done} />
    </>
  );
}
