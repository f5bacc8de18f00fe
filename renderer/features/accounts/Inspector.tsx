/** One account: its health, its capabilities, its addresses and its key. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { KeyRound, MapPin, Pencil, RotateCw, Target, Trash2 } from 'lucide-react';
import { THIS_MACHINE, type Account, type AccountState } from '#contract/app/account.ts';
import { testAccount } from '../../client/accounts.ts';
import { useAway } from '../../client/away.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { targetAccount } from '../../state/selection.ts';
import { AccountChip } from '../../ui/domain/AccountChip.tsx';
import { reasonWords } from '../../ui/text/accountLabels.ts';
import { accountTitle } from '../../ui/text/accountName.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Capabilities } from '../../ui/domain/Capabilities.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatMoment, formatWhen } from '../../ui/text/format.ts';
import { Fact } from '../../ui/primitives/DescriptionList.tsx';
import { Id } from '../../ui/primitives/Id.tsx';
import { InspectorHead } from '../../ui/page/InspectorHead.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import overview from '../../ui/theme/overview.module.css';
import panel from '../../ui/theme/panel.module.css';
import styles from './accounts.module.css';
import { AddressesDialog } from './AddressesDialog.tsx';
import { KeyDialog, RemoveDialog, RenameDialog } from './dialogs.tsx';
import { keyPlaces } from '../../ui/text/keyLabels.ts';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

type Asking = 'rename' | 'addresses' | 'key' | 'remove';

interface InspectorProps {
  account: Account;
  /** The address asks for another key, so that a banner and Home lead to the dialog. */
  asksKey: boolean;
  onClose: () => void;
}

export function Inspector({ account, asksKey, onClose }: InspectorProps) {
  const { id, name, state, reason } = account;
  const [openDialog, setAsking] = useState<Asking | null>(null);
  const asking = asksKey && id !== THIS_MACHINE ? 'key' : openDialog;
  const test = useMutation({
    mutationFn: () => testAccount(id),
    onSuccess: (tested) => announce(tested.state === 'ok' ? t`It works` : t`It does not work`),
  });
  // The banner of the target says the same.
  const away = useAway({ accountId: id });
  const done = () => {
    setAsking(null);
    if (asksKey) navigate({ page: 'accounts', accountId: id }, { replace: true });
  };
  // What has to be done comes first.
  const needsKey = state === 'refused' || state === 'no-key';
  const keyBlock = <KeyBlock account={account} onAsk={setAsking} />;
  useCommands([
    id !== THIS_MACHINE && { label: t`Test ${name}`, run: () => test.mutate() },
    id !== THIS_MACHINE && { label: t`Replace the key of ${name}…`, run: () => setAsking('key') },
    id !== THIS_MACHINE && { label: t`Rename ${name}…`, run: () => setAsking('rename') },
    id !== THIS_MACHINE && { label: t`Change the addresses of ${name}…`, run: () => setAsking('addresses') },
    id !== THIS_MACHINE && { label: t`Remove ${name}…`, run: () => setAsking('remove') },
  ]);
  return (
    <Card grow aria-label={t`Account`} role="region">
      <Head account={account} onClose={onClose} />
      <div className={panel.panel} tabIndex={0} role="region" aria-label={t`About ${accountTitle(id, name)}`}>
        {state !== 'ok' && reason !== null && away === null && (
          <Notice tone={state === 'unknown' ? 'off' : 'bad'} title={t`This account cannot be used now.`}>
            {reasonWords(account)}
          </Notice>
        )}
        {test.isError && (
          <Notice tone="bad" title={t`Not tested.`}>
            {errorText(test.error)}
          </Notice>
        )}
        {needsKey && keyBlock}
        <AbilitiesBlock account={account} isTesting={test.isPending} onTest={() => test.mutate()} />
        <AddressesBlock account={account} onAsk={setAsking} />
        {!needsKey && keyBlock}
      </div>
      <RenameDialog account={account} opened={asking === 'rename'} onClose={done} />
      <AddressesDialog account={account} opened={asking === 'addresses'} onClose={done} />
      <KeyDialog account={account} opened={asking === 'key'} onClose={done} />
      <RemoveDialog account={account} opened={asking === 'remove'} onClose={done} onRemoved={onClose} />
    </Card>
  );
}

function Head({ account: { id, name, state, reason }, onClose }: Omit<InspectorProps, 'asksKey'>) {
  const isTarget = targetAccount.use() === id;
  return (
    <InspectorHead
      name={accountTitle(id, name)}
      what={t`account`}
      marks={<AccountChip state={state} reason={reason} />}
      onClose={onClose}
    >
      <ReasonButton
        size="xs"
        variant="default"
        leftSection={<Target size={12} aria-hidden />}
        whyNot={isTarget ? t`It is already the target.` : null}
        onClick={() => targetAccount.set(id)}
      >
        {isTarget ? t`Current target` : t`Use as target`}
      </ReasonButton>
    </InspectorHead>
  );
}

interface AbilitiesBlockProps {
  account: Account;
  isTesting: boolean;
  onTest: () => void;
}

/** Why what an account could do at its last check may not hold now; null where it does. */
const outdatedWords: Partial<Record<AccountState, string>> = {
  offline: t`It cannot be reached now.`,
  refused: t`It refuses the key now.`,
  'no-key': t`There is no key to ask it with now.`,
  locked: t`Its key is locked now.`,
};

function AbilitiesBlock({ account, isTesting, onTest }: AbilitiesBlockProps) {
  const outdated = outdatedWords[account.state] ?? null;
  return (
    <section className={panel.block}>
      <h3>{t`What it can do`}</h3>
      <Capabilities capabilities={account.capabilities} lacks={account.lacks} isCurrent={outdated === null} />
      {account.id !== THIS_MACHINE && (
        <div className={styles.buttons}>
          <Button
            size="xs"
            variant="default"
            leftSection={<RotateCw size={12} aria-hidden />}
            loading={isTesting}
            onClick={onTest}
          >{t`Test`}</Button>
        </div>
      )}
      {(outdated !== null || account.probedAt !== null) && (
        <p className={panel.hint}>
          {joinSentences(
            outdated,
            account.probedAt !== null &&
              (outdated === null
                ? t`Checked ${formatWhen(account.probedAt)}, with calls that change nothing.`
                : t`It was so when it was last checked, ${formatWhen(account.probedAt)}.`),
          )}
        </p>
      )}
    </section>
  );
}

interface BlockProps {
  account: Account;
  onAsk: (asking: Asking) => void;
}

function AddressesBlock({ account: { id, kind, dialect, addresses, key }, onAsk }: BlockProps) {
  return (
    <section className={panel.block}>
      <h3>{t`Addresses`}</h3>
      <dl className={overview.facts}>
        <Address name={kind === 'engine' ? t`Engine` : t`Jobs`} address={addresses.jobs} />
        {kind === 'cloud' && (
          <>
            <Address name={t`REST ${dialect}`} address={addresses.management} />
            <Address name={t`GraphQL`} address={addresses.graphql} />
          </>
        )}
        <Fact name={t`Money`}>
          {kind === 'cloud'
            ? t`Everything that runs there costs money.`
            : t`What runs there costs electricity. Its GPU prices page has the prices that are counted.`}
        </Fact>
      </dl>
      {id !== THIS_MACHINE && key !== null && (
        <div className={styles.buttons}>
          <Button
            size="xs"
            variant="default"
            leftSection={<MapPin size={12} aria-hidden />}
            onClick={() => onAsk('addresses')}
          >
            {kind === 'engine' ? t`Change the address` : t`Change the addresses`}
          </Button>
        </div>
      )}
    </section>
  );
}

function KeyBlock({ account, onAsk }: BlockProps) {
  const { key } = account;
  if (account.id === THIS_MACHINE) {
    return (
      <section className={panel.block}>
        <h3>{t`Key`}</h3>
        <p
          className={panel.hint}
        >{t`None needed: Hangar creates a key for itself at each start and keeps it in memory.`}</p>
      </section>
    );
  }
  return (
    <section className={panel.block}>
      <h3>{t`Key`}</h3>
      {key === null ? (
        <p className={panel.hint}>{t`This account has no key, so Hangar cannot send it requests.`}</p>
      ) : (
        <dl className={overview.facts}>
          <Fact name={t`Ends with`}>{key.last4 === '' ? t`too short to show` : `…${key.last4}`}</Fact>
          <Fact name={t`Fingerprint`}>
            <Id text={key.fingerprint} copyLabel={t`Copy fingerprint`} />
          </Fact>
          <Fact name={t`Kept`}>{keyPlaces[key.keptIn]}</Fact>
          <Fact name={t`Added`}>{formatMoment(key.addedAt)}</Fact>
          <Fact name={t`Last used`}>{account.lastUsedAt === null ? t`not yet` : formatMoment(account.lastUsedAt)}</Fact>
        </dl>
      )}
      <div className={styles.buttons}>
        <Button
          size="xs"
          variant="default"
          leftSection={<KeyRound size={12} aria-hidden />}
          onClick={() => onAsk('key')}
        >
          {key === null ? t`Enter a key` : t`Replace the key`}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<Pencil size={12} aria-hidden />}
          onClick={() => onAsk('rename')}
        >{t`Rename`}</Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<Trash2 size={12} aria-hidden />}
          onClick={() => onAsk('remove')}
        >{t`Remove…`}</Button>
      </div>
    </section>
  );
}

const Address = ({ name, address }: { name: string; address: string | null }) => (
  <Fact name={name}>{address === null ? t`none` : <Id text={address} copyLabel={t`Copy address`} />}</Fact>
);
