/** The confirmation before a Pod is stopped, restarted, reset or deleted, with all consequences. */
import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { PodRow } from '#contract/bridge/pod.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { doneWords, questionOf, type ConfirmedChange } from './podChanges.ts';
import { podsChanged } from './usePodsNow.ts';

interface PodDialogProps {
  accountId: string;
  row: PodRow;
  /** Null while the dialog is closed. */
  kind: ConfirmedChange | null;
  onClose: () => void;
  onRemoved: () => void;
}

export function PodDialog({ accountId, row, kind, onClose, onRemoved }: PodDialogProps) {
  // The text stays while the dialog fades out.
  const [last, setLast] = useState<ConfirmedChange>('stop');
  if (kind !== null && kind !== last) setLast(kind);
  const question = questionOf(kind ?? last, row);
  const { id: podId, name } = row.pod;
  const act = useMutation({
    mutationFn: async (action: ConfirmedChange) => {
      if (action === 'remove') await api.pods.remove({ accountId, podId });
      else await api.pods.act({ accountId, podId, action });
    },
    onSuccess: async (_, action) => {
      if (action === 'remove') onRemoved();
      close();
      announce(`${doneWords[action]} ${name}`);
      await podsChanged();
    },
  });
  const close = () => {
    act.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={kind !== null}
      onClose={close}
      title={question.title}
      action={question.action}
      {...(question.destroys && { typed: name })}
      busy={act.isPending}
      problem={act.isError ? errorText(act.error) : null}
      onConfirm={() => kind !== null && act.mutate(kind)}
    >
      <ul>
        {question.consequences.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
