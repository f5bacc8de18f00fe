/** One account: how it is doing, what it can do, where it is, and its key. */
import { useState } from 'react';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { KeyRound, MapPin, Pencil, RotateCw, Target, Trash2, X } from 'lucide-react';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import { testAccount } from '../../client/accounts.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { chooseAccount, useSelection } from '../../state/selection.ts';
import { AccountChip } from '../../ui/domain/AccountChip.tsx';
import { accountTitle } from '../../ui/text/accountName.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Capabilities } from '../../ui/domain/Capabilities.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatMoment } from '../../ui/text/format.ts';
import { Id } from '../../ui/primitives/Id.tsx';
import head from '../../ui/theme/inspector.module.css';
import { Notice } from '../../ui/primitives/Notice.tsx';
import overview from '../../ui/theme/overview.module.css';
import panel from '../../ui/theme/panel.module.css';
import styles from './accounts.module.css';
import { AddressesDialog } from './AddressesDialog.tsx';
import { KeyDialog, RemoveDialog, RenameDialog } from './dialogs.tsx';
import { keptWords } from './keyWords.ts';

type Asking = 'rename' | 'addresses' | 'key' | 'remove';

export function Inspector({ account, onClose }: { account: Account; onClose: () => void }) {
  const { id, name, kind, dialect, addresses, key, state, reason } = account;
  const isHere = id === THIS_MACHINE;
  const [asking, setAsking] = useState<Asking | null>(null);
  const chosen = useSelection((selection) => selection.accountId) === id;
  const test = useMutation({
    mutationFn: () => testAccount(id),
    onSuccess: ({ state: found }) => announce(found === 'ok' ? 'It works' : 'It does not work'),
  });
  const done = () => setAsking(null);
  return (
    <Card grow aria-label="Account" role="region">
      <header className={head.inspectorHead}>
        <h2 title={name}>{accountTitle(id, name)}</h2>
        <AccountChip state={state} reason={reason} />
        <span className={head.space} />
        <Button
          size="xs"
          variant="default"
          leftSection={<Target size={12} aria-hidden />}
          disabled={chosen}
          onClick={() => chooseAccount(id)}
        >
          {chosen ? 'Is the target' : 'Make it the target'}
        </Button>
        <Tooltip label="Close">
          <ActionIcon aria-label="Close the account" onClick={onClose}>
            <X size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={panel.panel} tabIndex={0} role="region" aria-label={`About ${accountTitle(id, name)}`}>
        {state !== 'ok' && reason !== null && (
          <Notice tone={state === 'unknown' ? 'off' : 'wait'} title="It does not work now.">
            {reason}
          </Notice>
        )}
        {test.isError && (
          <Notice tone="bad" title="Not tested.">
            {errorText(test.error)}
          </Notice>
        )}
        <section className={panel.block}>
          <h3>What it can do</h3>
          <Capabilities capabilities={account.capabilities} lacks={account.lacks} />
          {!isHere && (
            <div className={styles.buttons}>
              <Button
                size="xs"
                variant="default"
                leftSection={<RotateCw size={12} aria-hidden />}
                loading={test.isPending}
                onClick={() => test.mutate()}
              >
                Test
              </Button>
            </div>
          )}
          {account.probedAt !== null && (
            <p className={panel.hint}>Found out {formatMoment(account.probedAt)}, with calls that change nothing.</p>
          )}
        </section>
        <section className={panel.block}>
          <h3>Where it is</h3>
          <dl className={overview.facts}>
            <Address name={kind === 'engine' ? 'Engine' : 'Jobs'} address={addresses.jobs} />
            {kind === 'cloud' && (
              <>
                <Address name={`REST ${dialect}`} address={addresses.management} />
                <Address name="GraphQL" address={addresses.graphql} />
              </>
            )}
            <div>
              <dt>Money</dt>
              <dd>{kind === 'cloud' ? 'What runs there costs money.' : 'What runs there costs nothing but power.'}</dd>
            </div>
          </dl>
          {!isHere && key !== null && (
            <div className={styles.buttons}>
              <Button
                size="xs"
                variant="default"
                leftSection={<MapPin size={12} aria-hidden />}
                onClick={() => setAsking('addresses')}
              >
                {kind === 'engine' ? 'Change the address' : 'Change the addresses'}
              </Button>
            </div>
          )}
        </section>
        {isHere ? (
          <section className={panel.block}>
            <h3>Key</h3>
            <p className={panel.hint}>
              It needs none: Hangar makes one for itself at each start and keeps it in memory.
            </p>
          </section>
        ) : (
          <section className={panel.block}>
            <h3>Key</h3>
            {key === null ? (
              <p className={panel.hint}>There is none. Without a key nothing can be asked of this account.</p>
            ) : (
              <dl className={overview.facts}>
                <div>
                  <dt>Ends with</dt>
                  <dd>{key.last4 === '' ? 'too short to tell' : `…${key.last4}`}</dd>
                </div>
                <div>
                  <dt>Fingerprint</dt>
                  <dd>
                    <Id text={key.fingerprint} what="fingerprint" />
                  </dd>
                </div>
                <div>
                  <dt>Kept</dt>
                  <dd>{keptWords[key.keptIn]}</dd>
                </div>
                <div>
                  <dt>Added</dt>
                  <dd>{formatMoment(key.addedAt)}</dd>
                </div>
                <div>
                  <dt>Last used</dt>
                  <dd>{account.lastUsedAt === null ? 'not yet' : formatMoment(account.lastUsedAt)}</dd>
                </div>
              </dl>
            )}
            <div className={styles.buttons}>
              <Button
                size="xs"
                variant="default"
                leftSection={<KeyRound size={12} aria-hidden />}
                onClick={() => setAsking('key')}
              >
                {key === null ? 'Give a key' : 'Replace the key'}
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<Pencil size={12} aria-hidden />}
                onClick={() => setAsking('rename')}
              >
                Rename
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<Trash2 size={12} aria-hidden />}
                onClick={() => setAsking('remove')}
              >
                Remove…
              </Button>
            </div>
          </section>
        )}
      </div>
      <RenameDialog account={account} opened={asking === 'rename'} onClose={done} />
      <AddressesDialog account={account} opened={asking === 'addresses'} onClose={done} />
      <KeyDialog account={account} opened={asking === 'key'} onClose={done} />
      <RemoveDialog account={account} opened={asking === 'remove'} onClose={done} onRemoved={onClose} />
    </Card>
  );
}

function Address({ name, address }: { name: string; address: string | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{address === null ? 'none' : <Id text={address} what="address" />}</dd>
    </div>
  );
}
