/** The confirmation before a Pod is stopped, restarted, reset or deleted, with all consequences. It closes at once. */
import { useState } from 'react';
import type { PodRow } from '#contract/bridge/pod.ts';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { changePod } from '../../ui/pod/podWork.ts';
import { questionOf, type ConfirmedChange } from './podChanges.ts';

interface PodDialogProps {
  accountId: string;
  row: PodRow;
  /** Null while the dialog is closed. */
  kind: ConfirmedChange | null;
  onClose: () => void;
  /** Called once a person has confirmed the deletion. */
  onRemove: () => void;
}

export function PodDialog({ accountId, row, kind, onClose, onRemove }: PodDialogProps) {
  // The text stays while the dialog fades out.
  const [last, setLast] = useState<ConfirmedChange>('stop');
  if (kind !== null && kind !== last) setLast(kind);
  const question = questionOf(kind ?? last, row);
  return (
    <ConfirmDialog
      opened={kind !== null}
      onClose={onClose}
      title={question.title}
      action={question.action}
      {...(question.destroys && { typed: row.pod.name })}
      busy={false}
      problem={null}
      onConfirm={() => {
        if (kind === null) return;
        void changePod(accountId, row.pod, kind);
        onClose();
        if (kind === 'remove') onRemove();
      }}
    >
      <ul>
        {question.consequences.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
