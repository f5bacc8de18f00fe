/** Changes the addresses of an account. New addresses are probed first; another host requires the key again. */
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import type { AccountPreset } from '#contract/bridge/account.ts';
import type { TypedAddresses } from '#contract/app/accountDraft.ts';
import { isPairingCode } from '#contract/app/pairingLink.ts';
import { limits } from '#contract/core/limits.ts';
import { api, errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { KeyField, readSecret, takeSecret } from '../../ui/domain/KeyField.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { FormDialog } from '../../ui/form/sheet/FormDialog.tsx';
import { focusFirstProblem } from '../../ui/form/useSchemaForm.ts';
import { joinSentences } from '../../language/sentences.ts';
import { sendFailure, type AccountFailure } from './accountFailure.ts';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';
import { requiredField } from '../../ui/theme/requiredField.ts';

interface AddressesDialogProps {
  account: Account;
  opened: boolean;
  onClose: () => void;
}

export function AddressesDialog({ account, opened, onClose }: AddressesDialogProps) {
  const presets = useQuery(orpc.accounts.presets.queryOptions({ enabled: opened, staleTime: Infinity, retry: false }));
  const preset = presets.data?.find(({ kind }) => kind === account.kind);
  return (
    <FormDialog opened={opened} onClose={onClose} title={t`Addresses of ${account.name}`} size={480}>
      {opened && preset && <AddressesForm account={account} preset={preset} onClose={onClose} />}
      {opened && presets.isError && (
        <Notice
          tone="bad"
          title={t`The addresses could not be read.`}
          action={<Button size="xs" variant="default" onClick={() => void presets.refetch()}>{t`Try again`}</Button>}
        >
          {errorText(presets.error)}
        </Notice>
      )}
    </FormDialog>
  );
}

/** The addresses in the form in which a person types them: the end of a REST address names its version. */
const shownOf = ({ kind, dialect, addresses }: Account): TypedAddresses =>
  kind === 'cloud' && addresses.management !== null
    ? { ...addresses, management: `${addresses.management}/${dialect}` }
    : addresses;

/** The hosts of complete addresses, while a person types. */
const hostsOf = (addresses: TypedAddresses): string[] =>
  Object.values(addresses).flatMap((text: string | null) =>
    text !== null && URL.canParse(text.trim()) ? [new URL(text.trim()).host] : [],
  );

interface AddressesFormProps {
  account: Account;
  preset: AccountPreset;
  onClose: () => void;
}

function AddressesForm({ account, preset, onClose }: AddressesFormProps) {
  const { fields } = preset;
  const before = shownOf(account);
  const [addresses, setAddresses] = useState(before);
  const keyField = useRef<HTMLInputElement>(null);
  const [keyFilled, setKeyFilled] = useState(false);
  const known = hostsOf(before);
  const needsKey = hostsOf(addresses).some((host) => !known.includes(host));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<AccountFailure | null>(null);
  const form = useRef<HTMLFormElement>(null);
  // A function of its own: once it has ended, nothing holds the key.
  const send = async () => {
    const key = needsKey ? readSecret(keyField) : null;
    await api.accounts.changeAddresses({ accountId: account.id, addresses, key });
  };
  // Not a mutation: it keeps its error, whose stack holds the request and so the key.
  const change = async () => {
    const isPairing = isPairingCode(readSecret(keyField));
    setBusy(true);
    setFailure(null);
    try {
      await send();
      takeSecret(keyField);
      announce(t`Addresses changed`);
      onClose();
      // The cached data may come from the old addresses.
      await queryClient.invalidateQueries();
    } catch (error) {
      setBusy(false);
      const refusal = sendFailure(preset, preset.fields[0] ? addresses[preset.fields[0].area] : null, error, isPairing);
      // A refused key does not work the next time either.
      if (refusal.field === 'key' && needsKey) {
        takeSecret(keyField);
        setKeyFilled(false);
      }
      flushSync(() => setFailure(refusal));
      focusFirstProblem(form.current);
    }
  };
  const unchanged = joinSentences(failure?.text, t`Nothing has changed.`);
  const isAtField = fields.some(({ area }) => area === failure?.field) || (failure?.field === 'key' && needsKey);
  const isNew = fields.some(({ area }) => (addresses[area] ?? '').trim() !== (before[area] ?? ''));
  const missing = fields.find(({ area, required }) => required && (addresses[area] ?? '').trim() === '');
  const noKey = needsKey && !keyFilled ? t`Enter the key first.` : null;
  const whyNot = missing ? t`Fill in ${missing.label} first.` : isNew ? noKey : t`Nothing has changed.`;
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNot === null && !busy) void change();
      }}
    >
      <Stack gap={12}>
        <Text fz="sm">{t`Hangar first tries the addresses with the key, with calls that change nothing. If they work, they replace the old ones.`}</Text>
        {fields.map(({ area, label, required }, index) => (
          <TextInput
            key={area}
            label={label}
            {...(required && requiredField)}
            placeholder={t`https://`}
            spellCheck={false}
            autoComplete="off"
            data-autofocus={index === 0 || undefined}
            maxLength={limits.accounts.addressLength}
            value={addresses[area] ?? ''}
            error={failure?.field === area && unchanged}
            onChange={({ currentTarget: { value } }) => {
              setFailure(null);
              setAddresses((typed) => ({ ...typed, [area]: value === '' ? null : value }));
            }}
          />
        ))}
        {needsKey && (
          <KeyField
            label={t`API key`}
            isRequired
            description={t`The stored key is only sent to the host that you entered it for. For a new host, enter it again.`}
            field={keyField}
            error={failure?.field === 'key' ? unchanged : null}
            onFilled={setKeyFilled}
          />
        )}
        <Text fz="sm">{t`Unfinished jobs are followed at the new addresses. A job that is unknown there is shown as gone. Open terminals are not affected.`}</Text>
        {failure !== null && !isAtField && (
          <Notice tone="bad" title={t`Not changed.`}>
            {unchanged}
          </Notice>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
          <ReasonButton type="submit" loading={busy} whyNot={whyNot}>{t`Test and change`}</ReasonButton>
        </Group>
      </Stack>
    </form>
  );
}
