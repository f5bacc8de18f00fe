/** The API keys that programs reach an engine with: what each may do, when it was last used, and what can be done about it. */
import { useState } from 'react';
import { Button, Skeleton } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import type { ApiKeyRecord } from '#contract/local/engine.ts';
import { useTarget } from '../../../client/accounts.ts';
import { showTargets } from '../../../state/overlays.ts';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import { StaleNotice } from '../../../ui/domain/StaleNotice.tsx';
import styles from '../settings.module.css';
import { DeleteKeyDialog, KeyDialog } from './keyDialogs.tsx';
import { KeyTable } from './KeyTable.tsx';
import { useApiKeys } from './useApiKeys.ts';

/** Only an engine of ours makes keys for whoever asks; those of a cloud are made in its console. */
export function ApiKeysTab() {
  const { account, name } = useTarget();
  if (account === null) return null;
  if (account.kind === 'engine') return <Keys key={account.id} account={account} name={name} />;
  return (
    <Empty
      title={`Keys of ${name} are not made here`}
      action={
        <Button variant="default" onClick={() => showTargets(true)}>
          Choose another target
        </Button>
      }
    >
      They are made where that account is, and given to Hangar on the Accounts page. Here are those of your own engines,
      such as this computer.
    </Empty>
  );
}

type Asking = { readonly what: 'new' } | { readonly what: 'change' | 'delete'; readonly record: ApiKeyRecord };

function Keys({ account, name }: { account: Account; name: string }) {
  const { now, at, problem, retry } = useApiKeys(account.id);
  const [asking, setAsking] = useState<Asking | null>(null);
  const done = () => setAsking(null);
  const begin = (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setAsking({ what: 'new' })}>
      New key
    </Button>
  );
  if (now === undefined && problem !== null) {
    return (
      <Empty title="The keys could not be read" action={<Button onClick={retry}>Try again</Button>}>
        {problem}
      </Empty>
    );
  }
  return (
    <div className={styles.body} tabIndex={0} role="region" aria-label="API keys" aria-busy={now === undefined}>
      {now !== undefined && problem !== null && (
        <StaleNotice at={at} problem={problem} retry={retry}>
          These are the last that came.
        </StaleNotice>
      )}
      {now?.length === 0 ? (
        <Empty title={`No program has a key for ${name} yet`} action={begin}>
          A script or another computer sends a key with each request. Hangar itself needs none for this computer.
        </Empty>
      ) : (
        <section className={styles.block} aria-labelledby="api-keys">
          <div className={styles.blockHead}>
            <h2 id="api-keys">Who may ask {name}</h2>
            {begin}
          </div>
          <p>A program sends one with each request. Only its digest is kept, so that nobody can read it again.</p>
          {now === undefined ? (
            <Skeleton h={40} m={14} radius={6} w="auto" />
          ) : (
            <KeyTable
              account={account}
              records={now}
              onChange={(record) => setAsking({ what: 'change', record })}
              onDelete={(record) => setAsking({ what: 'delete', record })}
            />
          )}
        </section>
      )}
      <KeyDialog
        account={account}
        name={name}
        opened={asking?.what === 'new' || asking?.what === 'change'}
        record={asking?.what === 'change' ? asking.record : null}
        onClose={done}
      />
      <DeleteKeyDialog account={account} record={asking?.what === 'delete' ? asking.record : null} onClose={done} />
    </div>
  );
}
