/** Renames an account, gives it another key, or removes it. */
import { useRef, useState } from 'react';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import { isPairingCode } from '#contract/app/pairingLink.ts';
import { limits } from '#contract/core/limits.ts';
import { api, errorText, orpc, ORPCError, queryClient } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { KeyField, readSecret, takeSecret } from '../../ui/domain/KeyField.tsx';
import { FormDialog } from '../../ui/form/sheet/FormDialog.tsx';
import { refusedKeyWords } from '../../ui/text/accountLabels.ts';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { counted, t } from '../../language/text.ts';

interface DialogProps {
  account: Account;
  opened: boolean;
  onClose: () => void;
}

export function RenameDialog({ account, opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Rename the account`} size={400}>
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
          label={t`Name`}
          data-autofocus
          maxLength={limits.accounts.nameLength}
          value={name}
          error={rename.isError ? errorText(rename.error) : null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
          <ReasonButton
            type="submit"
            loading={rename.isPending}
            whyNot={ready ? null : t`Enter a name first.`}
          >{t`Rename`}</ReasonButton>
        </Group>
      </Stack>
    </form>
  );
}

export function KeyDialog({ account, opened, onClose }: DialogProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={t`New key for ${account.name}`} size={440}>
      {opened && <KeyForm account={account} onClose={onClose} />}
    </FormDialog>
  );
}

const isRefused = (error: unknown): boolean => error instanceof ORPCError && error.code === 'UNAUTHORIZED';

function KeyForm({ account, onClose }: Omit<DialogProps, 'opened'>) {
  const field = useRef<HTMLInputElement>(null);
  const [filled, setFilled] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // Not a mutation: it keeps its variables and its error, whose stack holds the request and so the key.
  const replace = async () => {
    const isPairing = isPairingCode(readSecret(field));
    setBusy(true);
    setProblem(null);
    setFilled(false);
    try {
      await api.accounts.replaceKey({ accountId: account.id, key: takeSecret(field) });
      await queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
      announce(t`Key replaced`);
      onClose();
    } catch (error) {
      setProblem(isRefused(error) && !isPairing ? refusedKeyWords(account.kind) : errorText(error));
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
        <Text fz="sm">{t`Hangar tests the new key first. If it works, it replaces the old one.`}</Text>
        <KeyField
          label={t`New key`}
          field={field}
          error={problem && t`Not replaced. ${problem} Nothing has changed.`}
          autoFocus
          onFilled={setFilled}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
          <ReasonButton
            type="submit"
            loading={busy}
            whyNot={filled ? null : t`Enter the key first.`}
          >{t`Test and replace`}</ReasonButton>
        </Group>
      </Stack>
    </form>
  );
}

/** The open work of the account, which ends with its removal. */
function OpenWork({ accountId }: { accountId: string }) {
  const open = useQuery(orpc.accounts.open.queryOptions({ input: { accountId }, gcTime: 0, retry: false }));
  if (open.isPending) return <p>{t`Checking what is still open…`}</p>;
  const { jobs, terminals } = open.data ?? { jobs: 0, terminals: 0 };
  return (
    <>
      {open.isError && (
        <p>{t`Open jobs and terminals could not be read. They end in any case. ${errorText(open.error)}`}</p>
      )}
      {jobs > 0 && (
        <p>
          <b>{counted(jobs, '1 job', '{0} jobs', formatCount(jobs))}</b>{' '}
          {counted(
            jobs,
            'that has not ended is no longer followed, so Hangar does not show its results.',
            'that have not ended are no longer followed, so Hangar does not show their results.',
          )}
        </p>
      )}
      {terminals > 0 && (
        <p>
          <b>{counted(terminals, '1 terminal', '{0} terminals', formatCount(terminals))}</b>{' '}
          {counted(
            terminals,
            'over SSH is closed, and everything that runs in it stops.',
            'over SSH are closed, and everything that runs in them stops.',
          )}
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
      title={t`Remove ${account.name}`}
      action={t`Remove the account`}
      typed={account.name}
      busy={remove.isPending}
      problem={remove.isError ? errorText(remove.error) : null}
      onConfirm={() => remove.mutate()}
    >
      <p>{t`Its key is deleted here. Jobs, endpoints and Pods of the account keep running, and may keep costing money.`}</p>
      {account.key?.pairedId !== undefined && (
        <p>{t`This key was created by pairing, so it is also deleted on the other computer if that computer answers now.`}</p>
      )}
      <OpenWork accountId={account.id} />
      <p>{t`Jobs that you sent to it stay in the list, with their results.`}</p>
    </ConfirmDialog>
  );
}
