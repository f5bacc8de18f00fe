/** After a change that can be taken back: a notice with a button, for eight seconds. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Undo2 } from 'lucide-react';
import { announce } from '../primitives/announce.tsx';
import { t } from '../../language/text.ts';

const OFFERED_MS = 8000;

let count = 0;

/**
 * `done`: what was done, as a sentence without its end. `undo` is called at most once. `finish` is called once the
 * notice has gone without it: for what cannot be taken back, and therefore waits that long. The returned function takes
 * the notice away, because the change was not made after all; then neither is called.
 */
export function offerUndo(done: string, undo: () => void, finish?: () => void): () => void {
  count += 1;
  const id = `undo-${count}`;
  // The notice can still be clicked while it leaves.
  let isOffered = true;
  notifications.show({
    id,
    autoClose: OFFERED_MS,
    onClose: () => {
      if (!isOffered) return;
      isOffered = false;
      finish?.();
    },
    message: (
      <span style={{ display: 'flex', alignItems: 'center', gap: 10 }}>
        <span style={{ flex: 1 }}>{done}</span>
        <Button
          size="xs"
          variant="default"
          leftSection={<Undo2 size={12} aria-hidden />}
          onClick={() => {
            if (!isOffered) return;
            isOffered = false;
            notifications.hide(id);
            undo();
            announce(t`Undone`);
          }}
        >{t`Undo`}</Button>
      </span>
    ),
  });
  return () => {
    isOffered = false;
    notifications.hide(id);
  };
}
