/** Renames an account, gives it another key, or removes it. */
import { useRef, useState } from 'react';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import { limits } from '#contract/core/limits.ts';
import { api, errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { KeyField, takeSecret } from '../../ui/domain/KeyField.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';

interface DialogProps {
  account: Account;
  opened: boolean;
  onClose: () => void;
}

export function RenameDialog({ account, opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Rename the account" size={400}>
      {opened && <RenameForm account={account} onClose={onClose} />}
    </Modal>
  );
}

function RenameForm({ account, onClose }: Omit<DialogProps, 'opened'>) {
  const [name, setName] = useState(account.name);
  const rename = useMutation({
    mutationFn: () => api.accounts.rename({ accountId: account.id, name: name.trim() }),
    onSuccess: onClose,
  });
  const ready = name.trim() !== '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) rename.mutate();
      }}
    >
      <Stack gap={12}>
        <TextInput
          label="Name"
          data-autofocus
          maxLength={limits.accounts.nameLength}
          value={name}
          error={rename.isError ? errorText(rename.error) : null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending} disabled={!ready}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function KeyDialog({ account, opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Another key for ${account.name}`} size={440}>
      {opened && <KeyForm account={account} onClose={onClose} />}
    </Modal>
  );
}

function KeyForm({ account, onClose }: Omit<DialogProps, 'opened'>) {
  const field = useRef<HTMLInputElement>(null);
  const [filled, setFilled] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // Not a mutation: what those are given is kept.
  const replace = async () => {
    setBusy(true);
    setProblem(null);
    setFilled(false);
    try {
      await api.accounts.replaceKey({ accountId: account.id, key: takeSecret(field) });
      await queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
      announce('Key replaced');
      onClose();
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (filled && !busy) void replace();
      }}
    >
      <Stack gap={12}>
        <Text fz="sm">
          The new key is tried first. Only when it works does it take the place of the old one, which is then forgotten.
        </Text>
        <KeyField label="New key" field={field} autoFocus onFilled={setFilled} />
        {problem !== null && (
          <Notice tone="bad" title="Not replaced.">
            {problem} Nothing has changed; type the key again to try again.
          </Notice>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={!filled}>
            Try and replace
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What is open of the account here, and ends with it. */
function OpenWork({ accountId }: { accountId: string }) {
  const open = useQuery(orpc.accounts.open.queryOptions({ input: { accountId }, gcTime: 0, retry: false }));
  if (open.isPending) return <p>Looking what is open of it here…</p>;
  const { jobs, terminals } = open.data ?? { jobs: 0, terminals: 0 };
  return (
    <>
      {open.isError && <p>What is open of it here could not be read; it ends all the same. {errorText(open.error)}</p>}
      {jobs > 0 && (
        <p>
          <b>{jobs === 1 ? '1 job' : `${formatCount(jobs)} jobs`}</b> that {jobs === 1 ? 'has' : 'have'} not ended{' '}
          {jobs === 1 ? 'is' : 'are'} followed no longer: what comes of {jobs === 1 ? 'it' : 'them'} from now on is not
          seen here.
        </p>
      )}
      {terminals > 0 && (
        <p>
          <b>{terminals === 1 ? '1 terminal' : `${formatCount(terminals)} terminals`}</b> over SSH{' '}
          {terminals === 1 ? 'is' : 'are'} closed, and what runs in {terminals === 1 ? 'it' : 'them'} ends.
        </p>
      )}
    </>
  );
}

export function RemoveDialog({ account, opened, onClose, onRemoved }: DialogProps & { onRemoved: () => void }) {
  const remove = useMutation({
    mutationFn: () => api.accounts.remove({ accountId: account.id }),
    onSuccess: () => {
      onClose();
      onRemoved();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Remove ${account.name}`}
      action="Remove the account"
      typed={account.name}
      busy={remove.isPending}
      problem={remove.isError ? errorText(remove.error) : null}
      onConfirm={() => remove.mutate()}
    >
      <p>
        Its key is forgotten with it. Jobs, endpoints and Pods there are not stopped: they run on, and go on costing.
      </p>
      <OpenWork accountId={account.id} />
      <p>Jobs that were sent to it stay in the ledger, with everything that came back.</p>
    </ConfirmDialog>
  );
}
