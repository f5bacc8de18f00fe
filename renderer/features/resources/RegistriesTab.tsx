/** Credentials for private images: a password is only sent, never shown again. */
import { useState } from 'react';
import { Button, Kbd, PasswordInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import type { RegistryAuthRow, ResourcesNow } from '#contract/bridge/resource.ts';
import { useWhyNotNow } from '../../client/away.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { FormDialog } from '../../ui/form/sheet/FormDialog.tsx';
import { Id } from '../../ui/primitives/Id.tsx';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import dialog from '../../ui/theme/dialog.module.css';
import styles from '../../ui/theme/resources.module.css';
import { RowMenu } from '../../ui/primitives/RowMenu.tsx';
import { useCommands } from '../../state/commands.ts';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { UsedBy } from './UsedBy.tsx';
import { resourcesChanged } from './useResources.ts';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';
import { requiredField } from '../../ui/theme/requiredField.ts';

interface TabProps {
  accountId: string;
  target: string;
  now: ResourcesNow;
}

export function RegistriesTab({ accountId, target, now }: TabProps) {
  const [making, setMaking] = useState(false);
  const whyNot = useWhyNotNow();
  useCommands([whyNot === null && { label: t`New credentials on ${target}`, keys: 'N', run: () => setMaking(true) }]);
  const [removing, setRemoving] = useState<RegistryAuthRow | null>(null);
  const begin = (
    <ReasonButton
      leftSection={<Plus size={14} aria-hidden />}
      rightSection={<Kbd aria-hidden>N</Kbd>}
      whyNot={whyNot}
      onClick={() => setMaking(true)}
    >{t`New credentials`}</ReasonButton>
  );
  return (
    <>
      {now.registryAuths.length === 0 ? (
        <Empty
          title={t`No registry credentials on ${target} yet`}
          action={begin}
        >{t`Only private images need them. Templates and Pods refer to them. Passwords are stored on ${target} and never shown.`}</Empty>
      ) : (
        <div className={styles.scroll}>
          <div className={styles.tools}>
            <p>{t`For private images. Passwords are stored on ${target} and never shown.`}</p>
            {begin}
          </div>
          <PlainTable
            label={t`Registry credentials`}
            className={styles.table}
            rows={now.registryAuths}
            keyOf={({ id }) => id}
            columns={[
              { title: t`Name`, isHeader: true, cell: ({ name }) => name },
              {
                title: t`Used by`,
                cell: ({ usedBy }) => <UsedBy accountId={accountId} usedBy={usedBy} />,
                cellClass: styles.users,
              },
              {
                title: t`Id`,
                needs: 'wide',
                cell: ({ id }) => <Id text={id} copyLabel={t`Copy id of the credentials`} />,
              },
              {
                title: t`Actions`,
                isTitleHidden: true,
                cell: (auth) => (
                  <RowMenu
                    name={auth.name}
                    items={[{ label: t`Delete…`, icon: Trash2, onClick: () => setRemoving(auth) }]}
                  />
                ),
              },
            ]}
          />
        </div>
      )}
      <FormDialog opened={making} onClose={() => setMaking(false)} title={t`New credentials on ${target}`} size={440}>
        {making && <NewCredentials accountId={accountId} onClose={() => setMaking(false)} />}
      </FormDialog>
      <RemoveDialog
        question={(name) => t`Delete the credentials ${name}?`}
        action={t`Delete the credentials`}
        deleted={t`The credentials are deleted.`}
        row={removing}
        podsProblem={now.podsProblem}
        remove={(id) => api.resources.removeRegistryAuth({ accountId, id })}
        onClose={() => setRemoving(null)}
      >
        <p>{t`No template uses them. The password cannot be recovered.`}</p>
      </RemoveDialog>
    </>
  );
}

function NewCredentials({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const [credentials, setCredentials] = useState({ name: '', username: '', password: '' });
  const put = (fields: Partial<typeof credentials>) => setCredentials((before) => ({ ...before, ...fields }));
  const make = useMutation({
    mutationFn: () =>
      api.resources.createRegistryAuth({ accountId, credentials: { ...credentials, name: credentials.name.trim() } }),
    onSuccess: async () => {
      onClose();
      notifications.show({
        title: t`Saved ${credentials.name.trim()}`,
        message: t`Templates and Pods can use them now.`,
      });
      await resourcesChanged();
    },
  });
  const complete = credentials.name.trim() !== '' && credentials.username !== '' && credentials.password !== '';
  return (
    <form
      className={styles.fields}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (complete) make.mutate();
      }}
    >
      <TextInput
        label={t`Name`}
        description={t`A unique name`}
        {...requiredField}
        data-autofocus
        value={credentials.name}
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t`User name at the registry`}
        description={t`Sent to the registry of each image that uses them: to ghcr.io for ghcr.io/me/model:1`}
        {...requiredField}
        autoComplete="off"
        spellCheck={false}
        value={credentials.username}
        onChange={(event) => put({ username: event.currentTarget.value })}
      />
      <PasswordInput
        label={t`Password or access token`}
        description={t`It is not shown again`}
        {...requiredField}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t`Show the typed text` }}
        value={credentials.password}
        onChange={(event) => put({ password: event.currentTarget.value })}
      />
      {make.isError && (
        <Notice tone="bad" title={t`Not saved.`}>
          {errorText(make.error)}
        </Notice>
      )}
      <div className={dialog.answers}>
        <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
        <ReasonButton
          type="submit"
          loading={make.isPending}
          whyNot={complete ? null : t`Fill in all three fields first.`}
        >{t`Save`}</ReasonButton>
      </div>
    </form>
  );
}
