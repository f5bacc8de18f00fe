/** Asks before a Pod is stopped, restarted, reset or deleted, with all that follows from it. */
import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { PodRow } from '#contract/bridge/pod.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { doneWords, questionOf, type AskedKind } from './podChanges.ts';
import { podsChanged } from './usePodsNow.ts';

interface PodDialogProps {
  accountId: string;
  row: PodRow;
  /** Null while nothing is asked. */
  kind: AskedKind | null;
  onClose: () => void;
  onRemoved: () => void;
}

export function PodDialog({ accountId, row, kind, onClose, onRemoved }: PodDialogProps) {
  // Its words stay while it fades away.
  const [last, setLast] = useState<AskedKind>('stop');
  if (kind !== null && kind !== last) setLast(kind);
  const question = questionOf(kind ?? last, row);
  const { id: podId, name } = row.pod;
  const act = useMutation({
    mutationFn: async (asked: AskedKind) => {
      if (asked === 'remove') await api.pods.remove({ accountId, podId });
      else await api.pods.act({ accountId, podId, action: asked });
    },
    onSuccess: async (_, asked) => {
      if (asked === 'remove') onRemoved();
      close();
      announce(`${doneWords[asked]} ${name}`);
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
