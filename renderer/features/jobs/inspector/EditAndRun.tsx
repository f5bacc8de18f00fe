/** The button that opens Run with the input of a job. With more than one account, it asks on which one. */
import { Button, Menu } from '@mantine/core';
import { ChevronDown, CircleDollarSign, Pencil } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { lackOf, useAccounts } from '../../../client/accounts.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { accountInSentence } from '../../../ui/text/accountName.ts';
import { editAndRunOn } from './editJob.ts';
import { t } from '../../../language/text.ts';

interface EditAndRunProps {
  entry: LedgerEntry;
  /** Undefined until it is loaded. */
  body: string | undefined;
  isRemoved: boolean;
  /** On the account of the job, or on this computer if that account was removed. */
  onEdit: () => void;
}

/** The account of the job first. */
const placesFor = ({ accountId }: LedgerEntry, accounts: readonly Account[]): Account[] => [
  ...accounts.filter(({ id }) => id === accountId),
  ...accounts.filter((each) => each.id !== accountId && lackOf(each, 'jobs') === null),
];

export function EditAndRun({ entry, body, isRemoved, onEdit }: EditAndRunProps) {
  const places = placesFor(entry, useAccounts() ?? []);
  const buttonProps = { size: 'xs', variant: 'default', leftSection: <Pencil size={12} aria-hidden /> } as const;
  const whyNot = body === undefined ? t`Its input is being read.` : body === '' ? t`Its input was not recorded.` : null;
  if (body === undefined || whyNot !== null || isRemoved || places.length < 2) {
    return (
      <ReasonButton {...buttonProps} whyNot={whyNot} onClick={onEdit}>
        {isRemoved ? t`Edit and run here…` : t`Edit and run…`}
      </ReasonButton>
    );
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button {...buttonProps} rightSection={<ChevronDown size={12} aria-hidden />}>{t`Edit and run…`}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {places.map(({ id, name, kind }) => (
          <Menu.Item
            key={id}
            rightSection={kind === 'cloud' ? <CircleDollarSign size={13} aria-hidden /> : null}
            onClick={() => void editAndRunOn(id, entry, body)}
          >
            {kind === 'cloud' ? t`On ${name} · costs money` : t`On ${accountInSentence(id, name)}`}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
