/** Creates an API key, changes its name and permissions, and deletes it. */
import { useState } from 'react';
import { Button, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import type { ShownKey } from '#contract/bridge/apiKey.ts';
import { KEY_NAME_CHARS } from '#contract/local/access/keyNames.ts';
import { apiKeyScopes, type ApiKeyRecord, type ApiKeyScope } from '#contract/local/engine.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { FormDialog } from '../../../ui/form/sheet/FormDialog.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { mayBeOurs, scopeWords } from './keyScopes.ts';
import { NewKeyShown } from './NewKeyShown.tsx';
import { apiKeysChanged, useApiKeys, useEndpointsToChoose } from './useApiKeys.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';
import { requiredField } from '../../../ui/theme/requiredField.ts';

interface KeyDialogProps {
  account: Account;
  /** The name of the account in the middle of a sentence. */
  name: string;
  opened: boolean;
  /** The key to change; null for a new key. */
  record: ApiKeyRecord | null;
  onClose: () => void;
}

export function KeyDialog({ account, name, opened, record, onClose }: KeyDialogProps) {
  const [made, setMade] = useState<{ name: string; shown: ShownKey } | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  const title = record === null ? t`A new key for ${name}` : t`Change the key ${record.name}`;
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      // A new key is available only once.
      isFixed={made !== null}
      title={made === null ? title : t`Created the key ${made.name}`}
      size={460}
    >
      {opened && made === null && <KeyForm account={account} record={record} onClose={close} onMade={setMade} />}
      {made !== null && <NewKeyShown shown={made.shown} onClose={close} />}
    </FormDialog>
  );
}

interface KeyFormProps {
  account: Account;
  record: ApiKeyRecord | null;
  onClose: () => void;
  onMade: (made: { name: string; shown: ShownKey }) => void;
}

function KeyForm({ account, record, onClose, onMade }: KeyFormProps) {
  const accountId = account.id;
  const [name, setName] = useState(record?.name ?? '');
  const [scope, setScope] = useState<ApiKeyScope>(record?.scope ?? 'jobs');
  const [chosen, setChosen] = useState<string[]>(record?.endpointIds ?? []);
  const endpoints = useEndpointsToChoose(accountId);
  const keys = useApiKeys(accountId).now ?? [];
  const wanted = { name: name.trim(), scope, endpointIds: scope === 'endpoints' ? chosen : [] };
  const save = useMutation({
    mutationFn: async () => {
      if (record === null) return (await api.apiKeys.create({ accountId, ...wanted })).shown;
      await api.apiKeys.update({ accountId, id: record.id, change: wanted });
      return null;
    },
    onSuccess: (shown) => {
      if (shown !== null) onMade({ name: wanted.name, shown });
      else {
        announce(t`Changed`);
        onClose();
      }
      return apiKeysChanged();
    },
  });
  // The API accepts a second key of a name, because a script may create one each time it runs.
  const isTaken = keys.some((key) => key.name === wanted.name && key.id !== record?.id) && wanted.name !== record?.name;
  const noName = isTaken && !save.isPending ? t`Another key has this name. Enter another one.` : null;
  const noEndpoint = scope === 'endpoints' && chosen.length === 0 ? t`Choose at least one endpoint first.` : null;
  const whyNot = wanted.name === '' ? t`Enter a name first.` : (noName ?? noEndpoint);
  const known = endpoints ?? [];
  const choices = [
    ...known.map(({ id, name: label }) => ({ value: id, label: `${label} (${id})` })),
    ...chosen.filter((id) => !known.some((one) => one.id === id)).map((id) => ({ value: id, label: id })),
  ];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNot === null && !save.isPending) save.mutate();
      }}
    >
      <Stack gap={12}>
        <TextInput
          label={t`Name`}
          {...requiredField}
          description={t`Purpose, such as the script that uses it`}
          data-autofocus
          maxLength={KEY_NAME_CHARS}
          value={name}
          error={noName}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={t`Permissions`}
          description={scopeWords[scope].text}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={Object.entries(scopeWords).map(([value, { title }]) => ({ value, label: title }))}
          value={scope}
          onChange={(value) => setScope(apiKeyScopes.find((one) => one === value) ?? scope)}
        />
        {scope === 'endpoints' && (
          <MultiSelect
            label={t`Endpoints`}
            {...requiredField}
            placeholder={chosen.length === 0 ? t`Choose at least one` : ''}
            nothingFoundMessage={endpoints === undefined ? t`Loading…` : t`No such endpoint`}
            searchable
            data={choices}
            value={chosen}
            onChange={setChosen}
          />
        )}
        {save.isError && (
          <Notice tone="bad" title={record === null ? t`Not created.` : t`Not changed.`}>
            {errorText(save.error)}
          </Notice>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
          <ReasonButton type="submit" loading={save.isPending} whyNot={whyNot}>
            {record === null ? t`Create the key` : t`Save`}
          </ReasonButton>
        </Group>
      </Stack>
    </form>
  );
}

interface DeleteKeyDialogProps {
  account: Account;
  /** Null while the dialog is closed. */
  record: ApiKeyRecord | null;
  onClose: () => void;
}

export function DeleteKeyDialog({ account, record, onClose }: DeleteKeyDialogProps) {
  const remove = useMutation({
    mutationFn: (id: string) => api.apiKeys.delete({ accountId: account.id, id }),
    onSuccess: () => {
      announce(t`Deleted`);
      onClose();
      return apiKeysChanged();
    },
  });
  return (
    <ConfirmDialog
      opened={record !== null}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={t`Delete the key ${record?.name ?? ''}?`}
      action={t`Delete the key`}
      typed={record?.name ?? ''}
      busy={remove.isPending}
      problem={remove.isError ? errorText(remove.error) : null}
      onConfirm={() => record !== null && remove.mutate(record.id)}
    >
      <p>{t`Programs that use it get 401 from now on, and it cannot be restored. Jobs that were sent with it continue. To try this first, disable the key: you can enable it again.`}</p>
      {record !== null && mayBeOurs(account, record) && (
        <p>
          <b>{t`Hangar may be using this key for the account: it ends with the same characters.`}</b>{' '}
          {t`If so, the account stops working until you give it another key.`}
        </p>
      )}
    </ConfirmDialog>
  );
}
