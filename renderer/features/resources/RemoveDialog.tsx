/** The confirmation before a resource is deleted. A resource in use cannot be deleted; the dialog lists its uses. */
import type { ReactNode } from 'react';
import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ResourceUse } from '#contract/bridge/resource.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import dialog from '../../ui/theme/dialog.module.css';
import { textOfUse } from './UsedBy.tsx';
import { resourcesChanged } from './useResources.ts';
import { t } from '../../language/text.ts';

interface RemoveDialogProps {
  /** The question for the resource of this name: "Delete the template llama?" */
  question: (name: string) => string;
  /** The button that deletes: "Delete the template". */
  action: string;
  /** What the notification says afterwards: "The template is deleted." */
  deleted: string;
  /** Null while the dialog is closed. */
  row: { id: string; name: string; usedBy: readonly ResourceUse[] } | null;
  /** Why the uses by Pods are not known. */
  podsProblem: string | null;
  /** Whether the name must be typed, because data is lost permanently. */
  typed?: boolean;
  children: ReactNode;
  remove: (id: string) => Promise<void>;
  onClose: () => void;
  onRemoved?: () => void;
}

export function RemoveDialog(props: RemoveDialogProps) {
  const { question, action, deleted, row, podsProblem, typed = false, children, onClose, onRemoved } = props;
  const remove = useMutation({
    mutationFn: (id: string) => props.remove(id),
    onSuccess: async () => {
      close();
      onRemoved?.();
      notifications.show({ title: t`Deleted ${row?.name ?? ''}`, message: deleted });
      await resourcesChanged();
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  const title = question(row?.name ?? '');
  if (row !== null && row.usedBy.length > 0) {
    return (
      <Modal opened onClose={close} title={title} size={460}>
        <div className={dialog.words}>
          <p>{t`It is in use by:`}</p>
          <ul>
            {row.usedBy.map((use) => (
              <li key={`${use.kind} ${use.id}`}>
                <b>{textOfUse(use)}</b>
              </li>
            ))}
          </ul>
          <p>{t`Change or delete these first.`}</p>
        </div>
        <div className={dialog.answers}>
          <Button variant="default" data-autofocus onClick={close}>{t`Cancel`}</Button>
        </div>
      </Modal>
    );
  }
  return (
    <ConfirmDialog
      opened={row !== null}
      onClose={close}
      title={title}
      action={action}
      {...(typed && row !== null && { typed: row.name })}
      busy={remove.isPending}
      problem={remove.isError ? errorText(remove.error) : null}
      onConfirm={() => row !== null && remove.mutate(row.id)}
    >
      {children}
      {podsProblem !== null && <p>{t`It is not known which Pods use it: ${podsProblem}`}</p>}
    </ConfirmDialog>
  );
}
