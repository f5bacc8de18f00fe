/** Credentials for private images: the password goes in and is never told again. */
import { useState } from 'react';
import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import type { RegistryAuthRow, ResourcesNow } from '#contract/bridge/resource.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { Id } from '../../ui/primitives/Id.tsx';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import styles from '../../ui/theme/resources.module.css';
import { RowMenu } from '../../ui/primitives/RowMenu.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { UsedBy } from './UsedBy.tsx';
import { resourcesChanged } from './useResources.ts';

interface TabProps {
  accountId: string;
  target: string;
  now: ResourcesNow;
}

export function RegistriesTab({ accountId, target, now }: TabProps) {
  const [making, setMaking] = useState(false);
  const [removing, setRemoving] = useState<RegistryAuthRow | null>(null);
  const begin = (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setMaking(true)}>
      New credentials
    </Button>
  );
  return (
    <>
      {now.registryAuths.length === 0 ? (
        <Empty title={`No registry credentials on ${target} yet`} action={begin}>
          They are needed for private images only. A template or Pod names them; the password is kept by {target} and
          shown to nobody.
        </Empty>
      ) : (
        <div className={styles.scroll}>
          <div className={styles.tools}>
            <p>For private images. Passwords are kept by {target} and shown to nobody.</p>
            {begin}
          </div>
          <PlainTable
            label="Registry credentials"
            className={styles.table}
            rows={now.registryAuths}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Name', isHeader: true, cell: ({ name }) => name },
              { title: 'Used by', cell: ({ usedBy }) => <UsedBy usedBy={usedBy} /> },
              { title: 'Id', needs: 'wide', cell: ({ id }) => <Id text={id} what="id of the credentials" /> },
              {
                title: 'Actions',
                isTitleHidden: true,
                cell: (auth) => (
                  <RowMenu
                    name={auth.name}
                    items={[{ label: 'Delete…', icon: Trash2, onClick: () => setRemoving(auth) }]}
                  />
                ),
              },
            ]}
          />
        </div>
      )}
      <Modal opened={making} onClose={() => setMaking(false)} title={`New credentials on ${target}`} size={440}>
        {making && <NewCredentials accountId={accountId} onClose={() => setMaking(false)} />}
      </Modal>
      <RemoveDialog
        what="credentials"
        row={removing}
        podsProblem={now.podsProblem}
        remove={(id) => api.resources.removeRegistryAuth({ accountId, id })}
        onClose={() => setRemoving(null)}
      >
        <p>No template names them. The password cannot be brought back from here.</p>
      </RemoveDialog>
    </>
  );
}

function NewCredentials({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const [credentials, setCredentials] = useState({ name: '', username: '', password: '' });
  const put = (given: Partial<typeof credentials>) => setCredentials((before) => ({ ...before, ...given }));
  const make = useMutation({
    mutationFn: () =>
      api.resources.createRegistryAuth({ accountId, credentials: { ...credentials, name: credentials.name.trim() } }),
    onSuccess: async () => {
      onClose();
      notifications.show({
        title: `Kept ${credentials.name.trim()}`,
        message: 'Templates and Pods can name them now.',
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
        label="Name"
        description="For people; each is different"
        withAsterisk
        data-autofocus
        value={credentials.name}
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <TextInput
        label="User name at the registry"
        withAsterisk
        autoComplete="off"
        spellCheck={false}
        value={credentials.username}
        onChange={(event) => put({ username: event.currentTarget.value })}
      />
      <PasswordInput
        label="Password or access token"
        description="It is not shown again"
        withAsterisk
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
        value={credentials.password}
        onChange={(event) => put({ password: event.currentTarget.value })}
      />
      {make.isError && (
        <Notice tone="bad" title="Not kept.">
          {errorText(make.error)}
        </Notice>
      )}
      <div className={styles.answers}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={make.isPending} disabled={!complete}>
          Keep them
        </Button>
      </div>
    </form>
  );
}
